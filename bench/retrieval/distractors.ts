const subjects = [
  'the staff canteen',
  'the conference room Alder',
  'the bicycle shed',
  'the delivery yard',
  'the wine cellar',
  'the radiology archive',
  'the nurses’ room',
  'the pharmacy store',
  'the shoe department',
  'the toy department',
  'the garden terrace',
  'the weights room',
  'the boiler room',
  'the lost children’s corner',
  'the flower stall',
  'the staircase in the east wing',
]

const facts = [
  (subject: string, n: number) => `Every ${n % 2 ? 'Tuesday' : 'Friday'} a firm from the town cleans ${subject}.`,
  (subject: string, n: number) =>
    `There are ${n + 11} chairs and ${n + 2} tables in ${subject}, all bought in ${1990 + n}.`,
  (subject: string, n: number) =>
    `The lamps of ${subject} were changed in March; the next inspection is in ${n + 2} months.`,
  (subject: string, n: number) => `Only employees with a badge of level ${n + 1} have access to ${subject}.`,
  (subject: string) => `Please do not bring hot drinks or open umbrellas near ${subject}.`,
  (subject: string, n: number) =>
    `Painting ${subject} cost ${n * 37 + 410} euros and took the painters ${n + 3} working days.`,
  (subject: string, n: number) =>
    `The fire drill of ${subject} begins at ${(n % 9) + 8} in the morning and lasts a quarter of an hour.`,
  (subject: string) =>
    `Questions about ${subject} are answered by the caretaker, who has an office next to the goods lift.`,
  (subject: string, n: number) => `Plan P-${n + 401} shows the pipes and cables of ${subject}.`,
  (subject: string, n: number) =>
    `Inventory number 88-${n + 3100} belongs to ${subject}; the label sticks on the back of the door.`,
  (subject: string, n: number) =>
    `The door code E-${n + 520} of ${subject} is changed by the manager at the end of the year.`,
  (subject: string) => `Music is played in ${subject} while we are open, at a low volume.`,
  (subject: string) => `A local artist has lent us the pictures that hang in ${subject}.`,
  (subject: string, n: number) =>
    `Last year ${n * 120 + 900} people visited ${subject}, a few more than the year before.`,
  (subject: string) => `Apprentices learn the work of ${subject} in their second year and write a report about it.`,
  (subject: string) => `Our founder designed ${subject} herself, and an old photograph of it can be seen in the hall.`,
  (subject: string) => `In winter the windows of ${subject} stay shut, in summer they are opened before noon.`,
  (subject: string, n: number) =>
    `Order ${n + 7012} for ${subject} is a reel of cable, two brackets and a box of screws.`,
  (subject: string) => `Suppliers announce goods for ${subject} by telephone and wait at the gate until someone comes.`,
  (subject: string) =>
    `Plants in ${subject} are watered by the gardener; guests, patients and customers need not do it.`,
]

/** Passages that answer none of the questions, though they share words and shapes of numbers with the answers. */
export const distractors: readonly string[] = facts.flatMap((fact, kind) =>
  subjects.map((subject, place) => fact(subject, (place * 5 + kind * 3) % 19)),
)
