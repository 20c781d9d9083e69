/** A question in other words than its passage, and one in the passage's own. */
export interface HeldOut {
  passage: string
  paraphrase: string
  direct: string
}

/**
 * Passages of another trade than those that the search was made with, and questions that were written before it was
 * changed: what a change does for texts that nobody had in mind.
 */
export const heldOut: readonly HeldOut[] = [
  {
    passage:
      'Books can be borrowed for four weeks. The loan is extended twice by e-mail unless somebody has reserved the title.',
    paraphrase: 'How long may I keep a novel at home?',
    direct: 'For how many weeks can books be borrowed?',
  },
  {
    passage: 'Each day that a loan is overdue costs 20 cents for every item, up to ten euros.',
    paraphrase: 'I brought my things back too late, what will that be?',
    direct: 'What does an overdue loan cost?',
  },
  {
    passage: 'Whoever loses a membership card gets a new one at the counter for three euros.',
    paraphrase: 'My pass has gone missing',
    direct: 'What does a new membership card cost?',
  },
  {
    passage: 'The reading room on the second floor is a place of silence: no telephone calls and no group work.',
    paraphrase: 'Where can I study undisturbed?',
    direct: 'Are telephone calls allowed in the reading room?',
  },
  {
    passage: 'Children under six are told stories on Wednesday afternoons at three in the red corner.',
    paraphrase: 'Is there anything for my toddler?',
    direct: 'When are stories told to children?',
  },
  {
    passage: 'Copies are made at the machine beside the entrance: ten cents in black, thirty in colour.',
    paraphrase: 'Can I duplicate a page from a magazine here?',
    direct: 'How much are colour copies?',
  },
  {
    passage: 'What the house does not have is fetched from another library within two weeks for a fee of two euros.',
    paraphrase: 'You lack the title that I need, could you get hold of it elsewhere?',
    direct: 'What is the fee for fetching a book from another library?',
  },
  {
    passage: 'A tyre change takes half an hour. We keep the other set in our storage for 40 euros a season.',
    paraphrase: 'Winter is coming and I need different wheels on the car',
    direct: 'How long does a tyre change take?',
  },
  {
    passage:
      'While your vehicle is being repaired you can have one of our three courtesy cars; please fill the tank before you return it.',
    paraphrase: 'How do I get to work on the day of the service?',
    direct: 'Are there courtesy cars during a repair?',
  },
  {
    passage:
      'If the red oil lamp lights up while driving, stop at once and switch off the engine; call the breakdown service.',
    paraphrase: 'A warning came on at the dashboard and I am on the motorway',
    direct: 'What do I do when the red oil lamp lights up?',
  },
  {
    passage: 'Before any work that costs more than 250 euros we telephone you and ask for your consent.',
    paraphrase: 'Will you check with me if it becomes expensive?',
    direct: 'From which price on do you ask for consent by telephone?',
  },
  {
    passage: 'Old batteries, oil and tyres from private households are taken back free of charge.',
    paraphrase: 'How do I get rid of a worn-out accumulator?',
    direct: 'Are old tyres taken back free of charge?',
  },
  {
    passage: 'Pay by card, in cash or in up to six monthly instalments without interest.',
    paraphrase: 'I cannot afford everything at once',
    direct: 'Can I pay in monthly instalments?',
  },
  {
    passage:
      'Newborns are registered at the registry office within one week; bring the certificate of the hospital and both identity cards.',
    paraphrase: 'We just had a baby, what paperwork is there?',
    direct: 'Within which time are newborns registered?',
  },
  {
    passage: 'After moving to the town you have fourteen days to report your new address at the citizens office.',
    paraphrase: 'I relocated last week, do I have to tell anybody?',
    direct: 'How many days do I have to report a new address?',
  },
  {
    passage: 'The dog tax is 96 euros a year for the first animal; guide dogs are exempt.',
    paraphrase: 'What do I owe the council for my puppy?',
    direct: 'How much is the dog tax?',
  },
  {
    passage:
      'Noise from building sites is permitted on workdays between seven in the morning and eight in the evening.',
    paraphrase: 'My neighbour drills at midnight, is he allowed to?',
    direct: 'When is noise from building sites permitted?',
  },
  {
    passage:
      'Bulky waste is collected twice a year after you have ordered it; put it on the pavement the evening before.',
    paraphrase: 'Who takes away an old sofa?',
    direct: 'How often is bulky waste collected?',
  },
  {
    passage: 'A passport is ready after four weeks, with a surcharge of 32 euros after three working days.',
    paraphrase: 'My trip abroad is next Monday and my document has expired',
    direct: 'How long until a passport is ready?',
  },
  {
    passage: 'Wedding ceremonies take place in the old town hall on Fridays and on the first Saturday of each month.',
    paraphrase: 'We would like to get married at the weekend',
    direct: 'On which days do wedding ceremonies take place?',
  },
  {
    passage: 'Residents get a permit for their street for 30 euros a year; visitors use the machine at the corner.',
    paraphrase: 'I live downtown and never find a free spot outside my door',
    direct: 'What does a permit for residents cost?',
  },
  {
    passage:
      'Lessons that are called off less than 24 hours ahead have to be paid in full, unless a doctor confirms an illness.',
    paraphrase: 'I woke up with a fever and have a piano hour today',
    direct: 'Must lessons called off less than 24 hours ahead be paid?',
  },
  {
    passage: 'Violins and guitars can be hired from the school for eight euros a month during the first year.',
    paraphrase: 'Do I have to buy an instrument right away?',
    direct: 'What does it cost to hire a violin?',
  },
  {
    passage: 'Beginners of any age are welcome; reading music is taught along the way.',
    paraphrase: 'I am seventy and have never played, is it too late?',
    direct: 'Are beginners welcome?',
  },
]
