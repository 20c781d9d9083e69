import type { HeldOut } from './held-out.ts'

/**
 * A second set of trades, longer passages and more oblique questions, written before vectors of sentences were tried
 * and put to the search once, at the end: what decides is what nobody could have tuned to.
 */
export const secondHeldOut: readonly HeldOut[] = [
  // Bank
  {
    passage:
      'A lost or stolen card is blocked day and night on 555-0177. We send a replacement within five working days; the PIN follows in a separate letter.',
    paraphrase: 'Somebody took my wallet at the station, what now?',
    direct: 'On which number is a stolen card blocked?',
  },
  {
    passage:
      'Withdrawals at our own machines are free. Machines of other banks charge 4.50 euros, which we do not refund.',
    paraphrase: 'Does it cost anything to get cash while I am travelling?',
    direct: 'What do machines of other banks charge for withdrawals?',
  },
  {
    passage:
      'The current account may be overdrawn up to two monthly salaries. Interest on the amount is 9.8 per cent a year and is debited at the end of each quarter.',
    paraphrase: 'What if I spend more than I have?',
    direct: 'How high is the interest when the account is overdrawn?',
  },
  {
    passage:
      'For an account in the name of a minor both parents sign in person at the branch. Up to the age of eighteen there are no fees.',
    paraphrase: 'I want my daughter to have her own place for her pocket money',
    direct: 'Who signs for an account in the name of a minor?',
  },
  {
    passage:
      'A mortgage can be repaid early by up to five per cent of the sum each year. Beyond that a compensation is due for the interest that we lose.',
    paraphrase: 'I inherited some money, could I clear my house loan sooner?',
    direct: 'How much of a mortgage can be repaid early each year?',
  },
  {
    passage:
      'A transfer within the euro area arrives on the next working day if it is ordered before three in the afternoon. Instant transfers arrive in ten seconds and cost 50 cents.',
    paraphrase: 'My landlord has to have the rent today',
    direct: 'What do instant transfers cost?',
  },
  {
    passage:
      'After three wrong entries online banking is locked. A new activation letter comes by post; with your identity card the branch unlocks it at once.',
    paraphrase: 'I cannot remember my password and now nothing works any more',
    direct: 'What happens after three wrong entries in online banking?',
  },
  // Veterinary practice
  {
    passage:
      'Before an operation under anaesthesia your animal should not eat from eight in the evening. Water may stay in the bowl until you leave home.',
    paraphrase: 'My cat is being neutered tomorrow, may she have breakfast?',
    direct: 'From when on should an animal not eat before an operation?',
  },
  {
    passage:
      'Puppies are vaccinated at eight, twelve and sixteen weeks and then once a year. Bring the yellow booklet each time.',
    paraphrase: 'Which jabs does a young dog have to get?',
    direct: 'At which weeks are puppies vaccinated?',
  },
  {
    passage:
      'If your animal has swallowed something poisonous, do not make it vomit. Take the packaging with you and drive straight to the animal hospital in Mill Lane, which never closes.',
    paraphrase: 'He ate a whole bar of chocolate, is that dangerous?',
    direct: 'Should an animal that swallowed something poisonous vomit?',
  },
  {
    passage:
      'A microchip is set under the skin of the neck in a minute and costs 45 euros. With it a runaway is identified in any shelter.',
    paraphrase: 'How would somebody find out that he belongs to me if he gets lost?',
    direct: 'What does a microchip cost?',
  },
  {
    passage:
      'When a pet has died we can collect it and arrange a cremation. The urn is handed to you after about two weeks.',
    paraphrase: 'Our old rabbit passed away in the night',
    direct: 'After how long is the urn handed over?',
  },
  {
    passage:
      'Rabbits, guinea pigs and birds are seen by Doctor Lindqvist on Tuesdays only. Please bring them in a closed box with a cloth over it.',
    paraphrase: 'Do you look after parrots as well?',
    direct: 'On which day does Doctor Lindqvist see guinea pigs?',
  },
  // Internet provider
  {
    passage:
      'When the red light on the router blinks, there is no signal on the line. Pull the plug, wait half a minute, and plug it in again; if it still blinks after five minutes, report a fault.',
    paraphrase: 'I have been offline since this morning',
    direct: 'What does it mean when the red light on the router blinks?',
  },
  {
    passage:
      'If you move house, the contract moves with you. Tell us the new address six weeks ahead so that the line is ready on the first day.',
    paraphrase: 'I am getting a new flat in spring, can I keep what I have with you?',
    direct: 'How many weeks ahead do I tell you the new address?',
  },
  {
    passage:
      'The speed agreed is reached by cable. Over walls and several floors wireless reception drops to a third; an amplifier for 39 euros helps.',
    paraphrase: 'Films keep stopping in my bedroom upstairs',
    direct: 'What does an amplifier cost?',
  },
  {
    passage:
      'Your telephone number can be taken along from another company. Give us the signed form at least two weeks before the old contract ends.',
    paraphrase: 'I am switching over to you but everybody knows how to ring me',
    direct: 'Can a telephone number be taken along from another company?',
  },
  {
    passage: 'Invoices come on the third of each month by e-mail. A printed one by post costs 1.50 euros.',
    paraphrase: 'Could you send me something on paper showing what I owe?',
    direct: 'What does a printed invoice cost?',
  },
  {
    passage:
      'The technician rings fifteen minutes before he comes. An adult must be at home and the cellar accessible.',
    paraphrase: 'Do I have to take the whole day off for the installation?',
    direct: 'How many minutes before he comes does the technician ring?',
  },
  // Theatre
  {
    passage:
      'Latecomers are let in during the first interval only. Until then the performance can be followed on the screen in the foyer.',
    paraphrase: 'We are stuck in traffic and it starts in five minutes',
    direct: 'When are latecomers let in?',
  },
  {
    passage:
      'Tickets cannot be given back. Up to two days ahead we exchange them for another evening at a charge of three euros each.',
    paraphrase: 'Something came up on Friday and I cannot make it',
    direct: 'What is the charge to exchange tickets?',
  },
  {
    passage:
      'Those under 26 and the unemployed pay nine euros for any seat that is left half an hour before the curtain rises.',
    paraphrase: 'Is there anything cheap for students?',
    direct: 'What do the unemployed pay half an hour before the curtain rises?',
  },
  {
    passage:
      'Headphones that make voices louder are lent at the cloakroom against a deposit of twenty euros. Rows four to nine have an induction loop.',
    paraphrase: 'My grandfather is nearly deaf',
    direct: 'What is the deposit for headphones?',
  },
  {
    passage: 'Drinks for the interval can be ordered before the play begins. They then wait at the numbered tables.',
    paraphrase: 'I hate standing in line at the bar',
    direct: 'When can drinks for the interval be ordered?',
  },
  {
    passage:
      'Pictures and recordings of any kind are forbidden during the play. At the final applause you may use your camera.',
    paraphrase: 'May I film a bit for my friends?',
    direct: 'Are recordings forbidden during the play?',
  },
  // Electricity supplier
  {
    passage:
      'Read the meter on the last day of December and enter the figure in the portal. If we have none by the tenth of January, we estimate it.',
    paraphrase: 'How do you know what I have consumed?',
    direct: 'On which day do I read the meter?',
  },
  {
    passage:
      'Monthly instalments follow what was used in the year before. If fewer people live in the household now, we lower them on request.',
    paraphrase: 'My son has moved out, so I think I pay too much each time',
    direct: 'What do monthly instalments follow?',
  },
  {
    passage:
      'Whoever cannot pay a bill at once should call before the second reminder. We agree on instalments, and nothing is cut off meanwhile.',
    paraphrase: 'I lost my job and I am afraid of sitting in the dark',
    direct: 'When should I call if I cannot pay a bill?',
  },
  {
    passage:
      'Between ten at night and six in the morning a kilowatt-hour costs 19 cents instead of 31. A meter with two tariffs is fitted free of charge.',
    paraphrase: 'When is the best moment to charge my car?',
    direct: 'What does a kilowatt-hour cost between ten at night and six in the morning?',
  },
  {
    passage:
      'What the panels on your roof produce beyond your own needs is bought by us at eight cents. Register the system before it goes into operation.',
    paraphrase: 'Do I earn something from the sun?',
    direct: 'At how many cents is what the panels produce bought?',
  },
  {
    passage:
      'In a power cut first look at the fuses and ask the neighbours. If the whole street is dark, call the network operator, not us.',
    paraphrase: 'Everything went black all of a sudden and the fridge has stopped',
    direct: 'Whom do I call if the whole street is dark?',
  },
  // Campsite
  {
    passage:
      'Pitches are free from one in the afternoon and must be cleared by eleven. Whoever stays longer without asking pays for another night.',
    paraphrase: 'At what time do we have to be gone on the last day?',
    direct: 'By when must pitches be cleared?',
  },
  {
    passage:
      'Open fires are forbidden in summer because of the dry forest. Gas grills may be used on the stones by the lake.',
    paraphrase: 'We would love to have a barbecue',
    direct: 'Why are open fires forbidden in summer?',
  },
  {
    passage: 'Hot showers take tokens, which the kiosk sells at one euro. A token lasts for four minutes.',
    paraphrase: 'Is washing included in what I pay?',
    direct: 'How long does a token for the shower last?',
  },
  {
    passage:
      'Chemical toilets are emptied at the station behind the wash house only. Grey water may go into the drains along the paths.',
    paraphrase: 'Where does the waste from our motorhome go?',
    direct: 'Where are chemical toilets emptied?',
  },
  {
    passage:
      'Boats and paddles are at the jetty; the first hour is free for guests. Life jackets are compulsory for children.',
    paraphrase: 'What can one do on the water?',
    direct: 'For whom are life jackets compulsory?',
  },
  {
    passage:
      'Wasps and ticks are many in August. The first-aid box hangs beside the reception, and the nearest doctor is in Aldermere, six kilometres away.',
    paraphrase: 'Something has stung my little girl',
    direct: 'Where does the first-aid box hang?',
  },
  // Insurer
  {
    passage:
      'Report damage by water within three days, with photographs. Do not throw anything away before our assessor has seen it.',
    paraphrase: 'A pipe burst over the weekend and my carpet is ruined',
    direct: 'Within how many days do I report damage by water?',
  },
  {
    passage:
      'A bicycle is covered against theft up to 1,500 euros if it was locked to something fixed. Send us the receipt and the number of the police report.',
    paraphrase: 'My bike is gone, do I get anything for it?',
    direct: 'Up to how many euros is a bicycle covered against theft?',
  },
  {
    passage:
      'For every year without a claim the premium falls by five per cent, down to half. One claim puts you back by three years.',
    paraphrase: 'Does it pay off never to have had an accident?',
    direct: 'By how much does the premium fall for every year without a claim?',
  },
  {
    passage:
      'The liability policy pays when you or your children break what belongs to others, up to ten million euros. What you break of your own is not covered.',
    paraphrase: 'My boy kicked a ball through the window next door',
    direct: 'Does the liability policy cover what I break of my own?',
  },
  {
    passage:
      'Abroad we pay for treatment by a doctor and for the transport home if it is necessary. Call us before you go into hospital, except in danger to life.',
    paraphrase: 'What if I fall ill on holiday?',
    direct: 'When do I call before I go into hospital abroad?',
  },
  // Day nursery
  {
    passage:
      'Children are fetched by five at the latest. After that each quarter of an hour begun costs ten euros, because two carers have to stay.',
    paraphrase: 'My train is delayed and I will not make it in time to get her',
    direct: 'What does each quarter of an hour after five cost?',
  },
  {
    passage: 'With fever above 38 degrees or diarrhoea a child stays at home, and for two days after the last symptom.',
    paraphrase: 'He had a bad tummy yesterday but seems better',
    direct: 'Above how many degrees of fever does a child stay at home?',
  },
  {
    passage:
      'For the first fortnight a parent stays in the group, a little shorter each day, until the child is at ease without you.',
    paraphrase: 'She will cry when I leave, how do you handle that?',
    direct: 'How long does a parent stay in the group at first?',
  },
  {
    passage:
      'Lunch is cooked in the house, without pork and without nuts. Tell us about intolerances in writing, with a note from the doctor.',
    paraphrase: 'My son reacts badly to milk',
    direct: 'Is lunch cooked without nuts?',
  },
  {
    passage:
      'Only people whom you have named in writing may take a child home, and they must show a passport the first time.',
    paraphrase: 'Can grandma come instead of me on Thursday?',
    direct: 'Who may take a child home?',
  },
  {
    passage:
      'Places are given in March for the following August, brothers and sisters first. Put yourself on the list from birth.',
    paraphrase: 'When should I sign up my newborn?',
    direct: 'In which month are places given?',
  },
]
