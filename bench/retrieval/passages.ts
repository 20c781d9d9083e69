/** What a fictional hotel, clinic, shop and gym tell their callers: the answers among which the right one is sought. */
export const passages = {
  // Hotel
  parking: 'The garage under the hotel has 40 spaces and closes at ten in the evening. A space costs 18 euros a night.',
  breakfast: 'Breakfast is served from half past six to ten in the conservatory, and until eleven on Sundays.',
  lateArrival: 'If you reach us after midnight, ring the night bell; the porter keeps your key at the front desk.',
  pets: 'Dogs and cats are welcome for 12 euros a night, but not in the dining room.',
  pool: 'The rooftop pool is heated from April to October. Children under twelve must swim with an adult.',
  wifi: 'Wireless internet is free on every floor. The network is called Lindenhof-Guest and its password hangs in the wardrobe.',
  cancelRoom:
    'A booking can be cancelled without charge up to 48 hours before the day of arrival; later we keep the first night.',
  laundry: 'Shirts handed in before nine in the morning come back ironed the same evening.',
  shuttle:
    'Our minibus leaves for the airport every forty minutes from five in the morning; seats are booked at reception.',
  quiet: 'Please keep voices and music down between eleven at night and seven in the morning.',
  cot: 'A baby bed and a high chair stand ready at no extra cost if you ask for them when you reserve.',
  safe: 'The strongbox in the cupboard opens with a code of four digits that you choose yourself. Valuables left outside it are not insured.',
  safeCode: 'If the room safe shows E-417, its battery is empty; the porter opens it with the master key.',
  heating: 'The thermostat beside the door sets the temperature of the room between 17 and 24 degrees.',
  roomService: 'Meals are brought to your room until one at night for a surcharge of 6 euros.',
  meeting: 'The Walnut Room seats 24 people around one table and has a projector and a whiteboard.',
  // Clinic
  newPatient:
    'When you come for the first time, bring your insurance card, a list of your medicines and earlier findings.',
  fasting: 'Eat nothing for eight hours before blood is taken; water is allowed.',
  prescription: 'Repeat prescriptions are ready after two working days and are picked up at counter 3.',
  emergency: 'Outside opening hours the doctor on call answers at 555-0143; if life is in danger dial 112.',
  vaccination: 'Flu shots are given without an appointment on Wednesday afternoons from September to December.',
  results:
    'Laboratory findings appear in the patient portal after three days. We telephone you only if something is abnormal.',
  sickNote: 'A certificate of incapacity for work is issued only after the doctor has seen you in person or by video.',
  childDoctor: 'Doctor Okafor treats infants and schoolchildren on Mondays, Tuesdays and Thursdays.',
  wheelchair: 'A ramp at the rear entrance and a lift lead to all treatment rooms without a step.',
  missed: 'Whoever does not come and has not called off the day before pays a fee of 35 euros.',
  xray: 'Tell the radiographer before the picture is taken if you might be pregnant or wear a pacemaker.',
  physio: 'Exercises for back and knee are led by our physiotherapist in the basement; a referral is needed.',
  interpreter: 'We can arrange someone who speaks Turkish, Arabic or Polish if you tell us a week ahead.',
  dental: 'Crowns and bridges are paid in three instalments without interest. Cleaning takes 45 minutes.',
  formKilo: 'Form K-22 releases your records to another practice; it must be signed by hand.',
  allergy:
    'After an allergy injection stay in the waiting area for thirty minutes so that we can watch for a reaction.',
  // Shop
  returns:
    'Unworn shoes and clothes can be sent back within 30 days with the receipt; the money is refunded to the same card.',
  shipping:
    'Parcels within the country arrive in two to three working days. Postage is free from an order of 50 euros.',
  warranty:
    'Electrical appliances carry a guarantee of two years from the day of purchase against faults of manufacture.',
  giftCard: 'Gift vouchers are valid for three years and can be spent in parts, but never paid out in cash.',
  coffee: 'The Moka 300 coffee machine is descaled with one sachet of citric acid when the orange lamp blinks.',
  coffeeCode: 'Error F07 on the Moka 300 means that the water tank is not seated; lift it out and press it in again.',
  vacuum: 'The filter of the Breeze vacuum cleaner is washed by hand once a month and dried for a day.',
  article: 'Article 88-1204 is a replacement glass jug for 1.2 litres; it fits all our kettles made since 2019.',
  battery: 'Used batteries and light bulbs can be dropped into the green box beside the till.',
  loyalty: 'For every ten euros you collect one point; a hundred points take five euros off your next bill.',
  sizes: 'If a size is sold out we order it from another branch, usually within four days.',
  invoice: 'Companies may pay on account within fourteen days once we have checked their VAT number.',
  assembly: 'Our carpenters carry furniture upstairs, put it together and take the packaging away for 49 euros.',
  repair: 'Bring a torn jacket or a broken zip to the tailor on the first floor; most things are mended in a week.',
  priceMatch: 'Seen it cheaper elsewhere? Show us the offer within a week and we pay you the difference.',
  pickUp: 'Orders made online wait seven days at the collection desk; bring the number and an identity card.',
  // Gym
  trial: 'You may train for one week for nothing before you decide on a membership.',
  notice: 'A contract ends with one month of notice in writing; it cannot be ended within the first half year.',
  freeze: 'During illness or pregnancy the membership rests and nothing is charged.',
  towel: 'Please lay a towel on every machine; they can be hired for one euro at the entrance.',
  locker: 'Lockers are emptied every night. What was found in them is kept for a month behind the bar.',
  treadmill: 'When the treadmill displays LS-3, the safety clip has come off: put it back and press start twice.',
  course: 'Yoga takes place on Tuesdays at six, spinning on Fridays at seven; put your name on the list beforehand.',
  sauna: 'The steam bath and the sauna are for women only on Thursday mornings.',
} as const

export type PassageName = keyof typeof passages
