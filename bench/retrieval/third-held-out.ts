import type { HeldOut } from './held-out.ts'

/**
 * A third set of trades, written before anything of record 34 was tried and put to the search once, at the end.
 */
export const thirdHeldOut: readonly HeldOut[] = [
  // Railway
  {
    passage:
      'If a train reaches its destination an hour late or more, a quarter of the fare is paid back; after two hours it is half. Claims are made online within three months.',
    paraphrase: 'We got there at nine instead of seven, do I get something for it?',
    direct: 'How much of the fare is paid back after two hours?',
  },
  {
    passage:
      'Folding bikes travel free as luggage. For any other bicycle a place is reserved for nine euros, and it hangs in the last carriage.',
    paraphrase: 'Can I take my racer on board?',
    direct: 'What does a reserved place for a bicycle cost?',
  },
  {
    passage:
      'The quiet zone is in coaches 21 and 31. There telephones are switched to silent and conversations are held in the vestibule.',
    paraphrase: 'I would like to sleep on the way, where should I sit?',
    direct: 'In which coaches is the quiet zone?',
  },
  {
    passage:
      'Two children under fifteen ride free with a grown-up who holds a valid fare. Each further child pays half.',
    paraphrase: 'What do I have to buy for my three sons?',
    direct: 'How many children under fifteen ride free?',
  },
  {
    passage:
      'Saver fares are tied to the train that was booked. The flexible fare is good on every connection of that day and can be handed back without loss until midnight before.',
    paraphrase: 'Do I have to take exactly this one if my meeting runs over?',
    direct: 'Until when can the flexible fare be handed back?',
  },
  {
    passage:
      'Things that were left in a carriage are gathered at the terminus and taken to the depot in Mill Lane, where they lie for six weeks.',
    paraphrase: 'My umbrella is still on the seat',
    direct: 'Where are things taken that were left in a carriage?',
  },
  // Driving school
  {
    passage:
      'The theory test may be sat three months before the eighteenth birthday at the earliest. Bring an identity document and the first-aid certificate.',
    paraphrase: 'How young can somebody be for the written part?',
    direct: 'What do I bring to the theory test?',
  },
  {
    passage:
      'Whoever fails the practical examination waits two weeks before the next attempt. The examiner is paid anew each time: 129 euros.',
    paraphrase: 'I stalled at the junction and it was over. When can I try again?',
    direct: 'How long do I wait after failing the practical examination?',
  },
  {
    passage:
      'Lessons are called off at the latest two days before, by text message. Otherwise three quarters of the price are due.',
    paraphrase: 'I have a cold and we are supposed to meet tomorrow morning',
    direct: 'How are lessons called off?',
  },
  {
    passage:
      'Those who learn in a car with automatic transmission get an entry in their licence, which ten more lessons with gears and a short test remove.',
    paraphrase: 'May I use a clutch later if I never did during training?',
    direct: 'How many lessons with gears remove the entry in the licence?',
  },
  {
    passage:
      'Required are five drives on country roads, four on the motorway and three after dark. They last ninety minutes each.',
    paraphrase: 'Do we also practise when the headlamps are on?',
    direct: 'How many drives on the motorway are required?',
  },
  {
    passage:
      'Glasses or contact lenses are worn in every lesson if the optician has certified that you need them. The eye test is valid for two years.',
    paraphrase: 'My vision is poor, does that matter?',
    direct: 'For how long is the eye test valid?',
  },
  // Museum
  {
    passage:
      'Photographs for private use are allowed in the permanent collection without flash or tripod. In the special exhibitions cameras stay in the bag.',
    paraphrase: 'I want pictures of the paintings for my album',
    direct: 'Where are photographs without flash allowed?',
  },
  {
    passage: 'On the first Sunday of the month nobody pays. On all other days students and pensioners get in for half.',
    paraphrase: 'Is there a way to look around without spending money?',
    direct: 'On which day does nobody pay?',
  },
  {
    passage:
      'Bags larger than a sheet of paper are locked away in the basement; the coin for the compartment comes back.',
    paraphrase: 'Where do I leave my rucksack?',
    direct: 'Where are bags larger than a sheet of paper locked away?',
  },
  {
    passage:
      'Visitors who see badly borrow a tablet that describes twenty works and lets them feel their outlines. It is reserved by telephone.',
    paraphrase: 'My aunt is nearly blind, would she get anything out of a visit?',
    direct: 'How many works does the tablet describe?',
  },
  {
    passage:
      'School classes have a guide and a room for painting for two hours, for 60 euros. Teachers get in free with them.',
    paraphrase: 'I would like to come with my pupils',
    direct: 'For how long do school classes have a guide?',
  },
  {
    passage: 'The shop sends prints and catalogues worldwide. The reading copies in the window are not for sale.',
    paraphrase: 'Could you post me a poster overseas?',
    direct: 'What does the shop send worldwide?',
  },
  // Car rental
  {
    passage:
      'The vehicle comes with a full tank and is returned so. What is missing we fill in at 2.60 euros a litre and a service charge of 25 euros.',
    paraphrase: 'Should I stop at a petrol station before I hand over the keys?',
    direct: 'What is the service charge for filling the tank?',
  },
  {
    passage:
      'A second person at the wheel costs six euros a day and shows a licence at the counter. Spouses are included.',
    paraphrase: 'Is my wife allowed to take turns with me?',
    direct: 'What does a second person at the wheel cost?',
  },
  {
    passage:
      'The excess of 950 euros falls to 150 with the comfort cover. Tyres, glass and the underside are insured only in the premium cover.',
    paraphrase: 'A stone hit the windscreen, who bears it?',
    direct: 'To what does the excess fall with the comfort cover?',
  },
  {
    passage:
      'Crossing into neighbouring countries is free, except to islands and beyond the eastern border, for which a written permit is issued when you book.',
    paraphrase: 'We would like to go abroad for the weekend',
    direct: 'When is the written permit for the eastern border issued?',
  },
  {
    passage: 'Drivers below 23 pay a supplement of 12 euros a day, and cannot take vans or convertibles.',
    paraphrase: 'My son has just turned twenty. Does that make it dearer?',
    direct: 'Which drivers pay a supplement of 12 euros a day?',
  },
  {
    passage:
      'When the counter is closed, lay the keys in the steel slot beside the gate. You are responsible until we have looked at the vehicle in the morning.',
    paraphrase: 'Our plane leaves before sunrise, how do we give it back?',
    direct: 'Where do I lay the keys when the counter is closed?',
  },
  // Property management
  {
    passage:
      'Stairs are mopped by the parties of each floor in turn, the week running from Monday. The list hangs beside the letter boxes.',
    paraphrase: 'Whose job is it to clean outside the flats?',
    direct: 'Where does the list for mopping the stairs hang?',
  },
  {
    passage:
      'A fault of the lift is told to the caretaker on 555-0121. If somebody is stuck in it, press the bell for five seconds: that reaches the fire brigade.',
    paraphrase: 'We are between two floors and nothing moves',
    direct: 'On which number is a fault of the lift told?',
  },
  {
    passage:
      'The deposit of three months of rent is returned half a year after the keys, without what is outstanding for heating.',
    paraphrase: 'When do I see my security money again after moving out?',
    direct: 'How many months of rent is the deposit?',
  },
  {
    passage:
      'Black spots on a wall are reported in writing with a picture within a week. Until the surveyor has come, air the room three times a day.',
    paraphrase: 'There is mould behind the wardrobe',
    direct: 'Within which time are black spots on a wall reported?',
  },
  {
    passage:
      'A room may be let to somebody else after we have agreed to it in writing; the name of that person is enough for us to decide.',
    paraphrase: 'I am abroad for a semester, can a friend live here meanwhile?',
    direct: 'What is enough for you to decide about letting a room?',
  },
  {
    passage:
      'Holes from dowels are filled and walls painted white before the flat is handed over. Colours that you chose yourself are not taken on.',
    paraphrase: 'Do I need to redecorate when I leave?',
    direct: 'In which colour are walls painted before the flat is handed over?',
  },
  // Town hall and waste
  {
    passage:
      'Bulky refuse is fetched twice a year without a charge. Order a date with the card that came with the notice of fees, and put everything on the pavement by six in the morning.',
    paraphrase: 'How do I get rid of an old sofa?',
    direct: 'How often is bulky refuse fetched without a charge?',
  },
  {
    passage:
      'Paint, solvents and batteries of cars are taken at the mobile collection, on the last Saturday of a quarter in front of the fire station.',
    paraphrase: 'What about half a tin of varnish?',
    direct: 'When are solvents taken at the mobile collection?',
  },
  {
    passage:
      'A passport takes four weeks and costs 70 euros; for a surcharge of 32 euros it is there in three working days. Bring a photograph that is less than half a year old.',
    paraphrase: 'We fly on Thursday and mine has expired',
    direct: 'What is the surcharge for a passport in three working days?',
  },
  {
    passage:
      'Whoever moves to the town registers within fourteen days, with the landlord’s confirmation. It costs nothing.',
    paraphrase: 'I have a new home here. What must I do at your office?',
    direct: 'Within how many days does one register after moving to the town?',
  },
  {
    passage:
      'Wood, branches and leaves up to two cubic metres are taken at the composting site for three euros. The compost is sold in sacks.',
    paraphrase: 'I cut my hedge, where do I bring it?',
    direct: 'What is taken at the composting site for three euros?',
  },
  {
    passage:
      'A wedding at the registry is booked half a year ahead at the most. Both show birth certificates that are not older than six months.',
    paraphrase: 'My fiancée and I would like to get married, what papers do you want?',
    direct: 'How far ahead is a wedding booked?',
  },
  // Moving company
  {
    passage:
      'China and glasses are insured only if our people wrapped them. For boxes that you filled yourself we are liable when the box itself is damaged.',
    paraphrase: 'Some plates broke although I had put paper around each of them',
    direct: 'When are you liable for boxes that I filled myself?',
  },
  {
    passage:
      'Cartons are lent for four weeks at no charge: fifty for a flat of two rooms. Each one that does not come back costs 2.50 euros.',
    paraphrase: 'Do I have to find something to put my books in?',
    direct: 'For how long are cartons lent?',
  },
  {
    passage:
      'A zone without parking in front of both doors is applied for by us ten days ahead; the signs cost 85 euros each.',
    paraphrase: 'The street is always full of cars, where will the lorry stand?',
    direct: 'What do the signs for a zone without parking cost?',
  },
  {
    passage:
      'Pianos and safes over 120 kilograms are carried by four people and named when you ask for an offer. From the third floor on we use an outside lift.',
    paraphrase: 'I own an upright with ivory keys, is that a difficulty?',
    direct: 'From which floor on do you use an outside lift?',
  },
  {
    passage:
      'What does not fit yet is kept dry and heated in our hall, by the cubic metre and month: 14 euros, the first month free.',
    paraphrase: 'The new place is ready only in autumn. Where can our furniture stay?',
    direct: 'What does a cubic metre in your hall cost a month?',
  },
  {
    passage:
      'Lamps are taken down and connected by an electrician who comes along. Washing machines need their transport bolts, which you lay ready.',
    paraphrase: 'Who deals with the wiring on the ceiling?',
    direct: 'What do washing machines need?',
  },
  // Language school
  {
    passage:
      'A short interview and a sheet with forty sentences on the first evening decide which group you join. Changing is possible during the first two weeks.',
    paraphrase: 'How do I know my level?',
    direct: 'How many sentences are on the sheet of the first evening?',
  },
  {
    passage:
      'Groups have eight people at most. With fewer than four the course begins a month later, or everybody gets the fee back.',
    paraphrase: 'What happens if hardly anybody signs up?',
    direct: 'How many people does a group have at most?',
  },
  {
    passage:
      'Whoever attends four fifths of the evenings gets a certificate. The examination of the ministry is taken separately and costs 180 euros.',
    paraphrase: 'Will I have something to show my employer?',
    direct: 'What does the examination of the ministry cost?',
  },
  {
    passage:
      'Missed evenings are made up for in the parallel group or with the recording, which stays online for ten days.',
    paraphrase: 'I am away on business next Tuesday',
    direct: 'For how many days does the recording stay online?',
  },
  {
    passage:
      'Books are not part of the fee. You get them with a discount of a fifth at the bookshop opposite, when you show your enrolment.',
    paraphrase: 'What else will I have to pay for apart from tuition?',
    direct: 'Where do you get books with a discount?',
  },
  {
    passage:
      'Host families in the old town take you in from Sunday to Saturday, with breakfast and dinner. Pets and diets are asked about in the form.',
    paraphrase: 'I would rather live with locals than in a hostel',
    direct: 'Where do host families live?',
  },
]
