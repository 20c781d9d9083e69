import type { HeldOut } from './held-out.ts'

/**
 * A fourth set of trades, written before it was put to the search, and put to it once, with and without what record 48
 * changed.
 */
export const fourthHeldOut: readonly HeldOut[] = [
  // Campsite
  {
    passage:
      'Tents up to three metres wide are put up on the meadow by the stream; vehicles stay on the gravel beside the gate.',
    paraphrase: 'May I park right next to where I sleep?',
    direct: 'Where are tents up to three metres wide put up?',
  },
  {
    passage: 'From ten in the evening only the warden opens the barrier, and only in an emergency.',
    paraphrase: 'We arrive after midnight, can we still drive in?',
    direct: 'Who opens the barrier from ten in the evening?',
  },
  {
    passage: 'Open fires are allowed in the six stone rings; logs are sold by the basket at the kiosk.',
    paraphrase: 'The kids would love to toast marshmallows',
    direct: 'Where are open fires allowed?',
  },
  {
    passage: 'Waste water of motor homes goes into the grate behind the wash house, never into the stream.',
    paraphrase: 'Where do I empty the tank of my camper?',
    direct: 'Where does waste water of motor homes go?',
  },
  {
    passage: 'Whoever leaves before the end of a booked stay is not paid back the nights that are left.',
    paraphrase: 'It is raining all week and we want to go home early, what about our money?',
    direct: 'Are nights paid back when a booked stay ends early?',
  },
  {
    passage: 'Sockets give six amperes: enough for a fridge and lamps, not for a kettle and a heater together.',
    paraphrase: 'Why does the power fail whenever I boil something?',
    direct: 'How many amperes do the sockets give?',
  },
  // Telephone and internet provider
  {
    passage: 'If all lamps of the router are dark, unplug it for thirty seconds and use another wall outlet.',
    paraphrase: 'The little box shows no lights at all',
    direct: 'What do I do if all lamps of the router are dark?',
  },
  {
    passage: 'Your number can be taken along to us: give us the form of your present provider at least ten days ahead.',
    paraphrase: 'I am switching to you but my friends should still reach me as before',
    direct: 'How many days ahead do I give you the form to take my number along?',
  },
  {
    passage: 'In the countries of the union calls and data cost the same as at home for up to sixty days a year.',
    paraphrase: 'Will my bill explode when I go on holiday abroad?',
    direct: 'What do calls and data cost in the countries of the union?',
  },
  {
    passage: 'A lost phone is blocked at once on our hotline, day and night; a new card is posted free of charge.',
    paraphrase: 'Somebody stole my mobile on the bus',
    direct: 'How is a lost phone blocked?',
  },
  {
    passage: 'Itemised bills are kept for eighty days and can be downloaded in your account under Documents.',
    paraphrase: 'I want to check who was rung and when',
    direct: 'How long are itemised bills kept?',
  },
  {
    passage: 'Above the agreed volume the speed falls to a sixty-fourth until the first of the next month.',
    paraphrase: 'Everything got terribly slow since the twentieth',
    direct: 'What happens to the speed above the agreed volume?',
  },
  // Blood donation
  {
    passage: 'Donors are between 18 and 72 years old and weigh at least fifty kilogrammes.',
    paraphrase: 'My son is still at school, is he allowed to give?',
    direct: 'How much do donors weigh at least?',
  },
  {
    passage: 'After a tattoo or a piercing you wait four months until your next donation.',
    paraphrase: 'I just had some ink done on my arm',
    direct: 'How many months do I wait after a tattoo?',
  },
  {
    passage: 'Eat well and drink two litres on that day; stay for a quarter of an hour in the rest room afterwards.',
    paraphrase: 'How do I avoid fainting?',
    direct: 'How much do I drink on that day?',
  },
  {
    passage: 'Men may come six times within twelve months, women four times, with eight weeks in between.',
    paraphrase: 'I was with you in spring, is it too soon?',
    direct: 'How many times may women come within twelve months?',
  },
  {
    passage: 'We pay no money, but everybody gets a snack, and after the tenth time a badge of honour.',
    paraphrase: 'What do I earn by it?',
    direct: 'What does everybody get after the tenth time?',
  },
  {
    passage: 'The result of the laboratory is posted to you if anything in your sample is out of the ordinary.',
    paraphrase: 'Would I hear about it if I were ill?',
    direct: 'When is the result of the laboratory posted to me?',
  },
  // Allotment gardens
  {
    passage: 'A third of each plot is planted with fruit and vegetables; lawns may take up another third.',
    paraphrase: 'Could I just have grass and a trampoline?',
    direct: 'What is a third of each plot planted with?',
  },
  {
    passage: 'Sheds have no more than 24 square metres with the porch, and nobody lives in them for good.',
    paraphrase: 'I would like to move into the hut permanently',
    direct: 'How many square metres may sheds have?',
  },
  {
    passage: 'Hedges are cut to 1.25 metres, but not between March and September because of nesting birds.',
    paraphrase: 'When may I trim the bushes along the path?',
    direct: 'To how many metres are hedges cut?',
  },
  {
    passage: 'Each member does eight hours of common work a year or pays 25 euros for every hour missed.',
    paraphrase: 'I have no time to help out, is that a problem?',
    direct: 'How many hours of common work does each member do?',
  },
  {
    passage: 'Lawn mowers and saws rest between one and three in the afternoon and on Sundays.',
    paraphrase: 'When do I have to be quiet?',
    direct: 'When do lawn mowers and saws rest?',
  },
  {
    passage: 'Newcomers are put on a list; at present about three years go by until a plot falls vacant.',
    paraphrase: 'How soon could I have a garden of my own?',
    direct: 'How many years go by until a plot falls vacant?',
  },
  // Courses of a school for adults, which resemble each other
  {
    passage: 'Course 101, Portuguese for the first journey, is held on Mondays at 18:00 in room 4 and costs 96 euros.',
    paraphrase: 'I am flying to Lisbon and want to order a coffee',
    direct: 'What does course 101 cost?',
  },
  {
    passage: 'Course 102, bookkeeping with a spreadsheet, is held on Tuesdays at 19:00 in room 9 and costs 140 euros.',
    paraphrase: 'I need to do the accounts of our club',
    direct: 'What does course 102 cost?',
  },
  {
    passage: 'Course 103, pottery on the wheel, is held on Wednesdays at 17:30 in room 2 and costs 118 euros.',
    paraphrase: 'I would like to make my own bowls and vases',
    direct: 'What does course 103 cost?',
  },
  {
    passage: 'Course 104, first aid for parents, is held on Saturdays at 10:00 in room 7 and costs 35 euros.',
    paraphrase: 'What to do when the baby chokes?',
    direct: 'What does course 104 cost?',
  },
  {
    passage: 'Course 105, speaking in front of people, is held on Thursdays at 18:30 in room 5 and costs 88 euros.',
    paraphrase: 'My knees shake whenever I give a presentation',
    direct: 'What does course 105 cost?',
  },
  {
    passage: 'Course 106, sewing for beginners, is held on Mondays at 19:30 in room 3 and costs 102 euros.',
    paraphrase: 'I want to shorten my own trousers',
    direct: 'What does course 106 cost?',
  },
  {
    passage: 'Course 107, pruning fruit trees, is held on Fridays at 15:00 in room 1 and costs 28 euros.',
    paraphrase: 'The old apple in my garden needs a haircut',
    direct: 'What does course 107 cost?',
  },
  {
    passage: 'Course 108, drawing from life, is held on Wednesdays at 20:00 in room 6 and costs 126 euros.',
    paraphrase: 'I would like to sketch bodies with a model',
    direct: 'What does course 108 cost?',
  },
  // Spare parts, as rows of a table
  {
    passage: 'part: DR-11; name: Drain pump; fits: washing machine; price_eur: 34.00',
    paraphrase: 'The water stays inside after the wash',
    direct: 'price of DR-11',
  },
  {
    passage: 'part: HE-20; name: Heating element; fits: washing machine; price_eur: 29.50',
    paraphrase: 'My laundry is always washed cold',
    direct: 'price of HE-20',
  },
  {
    passage: 'part: SA-05; name: Spray arm; fits: dishwasher; price_eur: 18.00',
    paraphrase: 'The plates on top come out dirty',
    direct: 'price of SA-05',
  },
  {
    passage: 'part: DS-31; name: Door seal; fits: refrigerator; price_eur: 41.00',
    paraphrase: 'Cold air gets out of the fridge though it is shut',
    direct: 'price of DS-31',
  },
  {
    passage: 'part: BL-07; name: Bulb; fits: oven; price_eur: 6.50',
    paraphrase: 'It is dark inside while the cake is baking',
    direct: 'price of BL-07',
  },
  {
    passage: 'part: CF-14; name: Charcoal filter; fits: cooker hood; price_eur: 22.00',
    paraphrase: 'The kitchen smells of frying for hours',
    direct: 'price of CF-14',
  },
  {
    passage: 'part: BG-09; name: Dust bags, 5 pieces; fits: vacuum cleaner; price_eur: 12.00',
    paraphrase: 'My hoover is full',
    direct: 'price of BG-09',
  },
  {
    passage: 'part: BE-44; name: Drive belt; fits: tumble dryer; price_eur: 15.00',
    paraphrase: 'The drum no longer turns when I dry towels',
    direct: 'price of BE-44',
  },
]

/** Rows and courses that resemble those of the set and answer none of its questions. */
export const besideFourth: readonly string[] = [
  ...[
    ['MG-02', 'Magnetron', 'microwave', '52.00'],
    ['TT-03', 'Turntable of glass', 'microwave', '19.00'],
    ['KN-12', 'Knob', 'oven', '9.00'],
    ['GL-16', 'Outer glass', 'oven', '63.00'],
    ['DT-21', 'Detergent drawer', 'washing machine', '24.00'],
    ['SH-22', 'Shock absorber', 'washing machine', '27.00'],
    ['BK-30', 'Lower basket', 'dishwasher', '48.00'],
    ['SF-33', 'Salt funnel', 'dishwasher', '3.50'],
    ['CR-35', 'Vegetable drawer', 'refrigerator', '31.00'],
    ['TH-36', 'Thermostat', 'refrigerator', '44.00'],
    ['LF-40', 'Lint filter', 'tumble dryer', '17.00'],
    ['HS-41', 'Hose with handle', 'vacuum cleaner', '26.00'],
    ['FL-43', 'Floor nozzle', 'vacuum cleaner', '21.00'],
    ['LP-46', 'Control lamp', 'cooker hood', '5.00'],
  ].map(([part, name, fits, price]) => `part: ${part}; name: ${name}; fits: ${fits}; price_eur: ${price}`),
  ...[
    ['109, chess openings', 'Tuesdays', '18:00', '60'],
    ['110, bread with sourdough', 'Saturdays', '09:00', '45'],
    ['111, history of the harbour', 'Thursdays', '17:00', '30'],
    ['112, singing from sheets', 'Mondays', '20:00', '72'],
    ['113, folk dances', 'Fridays', '19:00', '66'],
    ['114, bees and honey', 'Saturdays', '14:00', '54'],
    ['115, drones and the law', 'Wednesdays', '18:30', '40'],
    ['116, ukulele', 'Thursdays', '19:30', '92'],
    ['117, mending bicycles', 'Saturdays', '11:00', '38'],
    ['118, novels of the north', 'Tuesdays', '17:30', '50'],
    ['119, wills and estates', 'Mondays', '17:00', '25'],
    ['120, stars and telescopes', 'Fridays', '21:00', '48'],
  ].map(
    ([course, day, time, price], at) =>
      `Course ${course}, is held on ${day} at ${time} in room ${(at % 9) + 1} and costs ${price} euros.`,
  ),
]
