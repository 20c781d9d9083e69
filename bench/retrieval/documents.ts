/** Files as people upload them, each with questions and words of the passage that answers. */
interface Document {
  kind: string
  name: string
  text: string
  /** A follow-up names what was asked before it. */
  asked: readonly { question: string; answer: string; before?: string }[]
}

const clauses = [
  'The lessee insures the boat against fire and theft before the first journey.',
  'Minors sail only with a person of full age who holds a licence.',
  'Damage is reported on the day on which it is noticed, with photographs.',
  'The deposit of 400 euros is paid back within ten days after the return.',
  'Smoking and open flames are forbidden below deck.',
  'The boat is handed back with a full tank, or the fuel is charged with a fee of 25 euros.',
  'Whoever withdraws less than two weeks before the start pays half of the price.',
  'Radio equipment is used by holders of a radio certificate only.',
  'Guests on board are named to the harbour office before the boat leaves.',
  'Nets and lines are not trailed within two hundred metres of the reef.',
]
const policy = clauses
  .flatMap((clause, section) => [
    `${section + 1}. ${clause}`,
    `${clause.split(' ').slice(0, 3).join(' ')} ... is read together with the annex. The landlord may change forms and hours of the office with notice. Translations are for convenience. Headings bind nobody.`,
  ])
  .join('\n\n')

export const documents: readonly Document[] = [
  {
    kind: 'Markdown with tables',
    name: 'museum.md',
    text: `# Museum of Clocks

Founded by two watchmakers, the museum shows four centuries of time.

## Visiting

### Tickets

| Ticket | Price | Valid |
| --- | --- | --- |
| Adult | 11 euros | one day |
| Pupil | 4 euros | one day |
| Friend of the museum | 60 euros | one year |

### Getting here

Tram 9 stops in front of the gate. Bicycles stand in the inner court.

## Collection

### Astronomical clock

It shows the position of the moon and strikes at noon. It was built in Prague in 1611.

### Pocket watches

The smallest of them measures 9 millimetres and belonged to a dancer.

## Workshop

Old clocks are repaired on Thursdays; an estimate costs nothing.
`,
    asked: [
      { question: 'What does a ticket for a pupil cost?', answer: 'Pupil' },
      { question: 'How much is the annual membership?', answer: 'Friend of the museum' },
      { question: 'Which tram goes to the museum?', answer: 'Tram 9' },
      { question: 'How small is the tiniest watch?', answer: '9 millimetres' },
      { question: 'Can you mend my grandfather’s clock?', answer: 'repaired on Thursdays' },
      { question: 'And when was it built?', before: 'Tell me about the astronomical clock', answer: 'Prague' },
      { question: 'And for adults?', before: 'What does a pupil’s ticket cost?', answer: 'Adult' },
    ],
  },
  {
    kind: 'FAQ',
    name: 'faq.txt',
    text: `Q: How do I change my delivery address?
A: Open your order and choose Edit, as long as it has not left our store.

Q: Which cards do you take?
A: Visa and Mastercard; others are declined at the till.

Q: My voucher is rejected. Why?
A: Vouchers end after two years and work once only.

Q: Can somebody else collect my parcel?
A: Yes, with your written permission and their identity card.

Q: Do you deliver to islands?
A: Four times a week by ferry, for a surcharge of 7 euros.`,
    asked: [
      { question: 'I moved house, where do I correct the address of my order?', answer: 'choose Edit' },
      { question: 'Do you accept American Express?', answer: 'Visa and Mastercard' },
      { question: 'Why does my gift code not work?', answer: 'end after two years' },
      { question: 'May my neighbour pick up the package?', answer: 'written permission' },
      { question: 'What does it cost?', before: 'Do you deliver to islands?', answer: 'surcharge of 7 euros' },
    ],
  },
  {
    kind: 'CSV',
    name: 'prices.csv',
    text: `article,name,colour,price_eur,stock
GH-100,Garden hose,green,24.90,12
GH-200,Garden hose reinforced,black,39.50,0
SP-310,Sprinkler,yellow,17.00,40
WB-55,Wheelbarrow,red,89.00,3
LD-12,Ladder of aluminium,silver,129.00,7
SH-8,Snow shovel,blue,21.00,25`,
    asked: [
      { question: 'price of WB-55', answer: 'Wheelbarrow' },
      { question: 'What does the snow shovel cost?', answer: 'SH-8' },
      { question: 'Is GH-200 in stock?', answer: 'GH-200' },
      { question: 'Do you have something to climb onto the roof?', answer: 'Ladder' },
    ],
  },
  {
    kind: 'JSON',
    name: 'rooms.json',
    text: JSON.stringify({
      hotel: 'Seeblick',
      rooms: [
        { number: 11, name: 'Heron', beds: 2, view: 'lake', bath: { tub: true, shower: false } },
        { number: 12, name: 'Otter', beds: 1, view: 'garden', bath: { tub: false, shower: true } },
        { number: 21, name: 'Stork', beds: 4, view: 'mountains', balcony: true },
      ],
      contacts: [
        { role: 'reception', telephone: '555-0110' },
        { role: 'housekeeping', telephone: '555-0119' },
      ],
    }),
    asked: [
      { question: 'Which room has a bathtub and a view of the lake?', answer: 'Heron' },
      { question: 'telephone of housekeeping', answer: '555-0119' },
      { question: 'We are four people, which room fits?', answer: 'Stork' },
    ],
  },
  {
    kind: 'long policy',
    name: 'charter-terms.txt',
    text: policy,
    asked: [
      { question: 'When do I get my deposit back?', answer: 'ten days after the return' },
      { question: 'Is smoking allowed in the cabin?', answer: 'open flames' },
      { question: 'My children want to steer alone', answer: 'Minors sail' },
      { question: 'What happens if I cancel shortly before?', answer: 'pays half' },
      { question: 'Do I have to refuel?', answer: 'full tank' },
    ],
  },
  {
    kind: 'German',
    name: 'werkstatt.md',
    text: `# Fahrradwerkstatt

## Öffnungszeiten

Wir haben dienstags bis samstags von neun bis achtzehn Uhr geöffnet.

## Preise

Eine Inspektion kostet 59 Euro. Das Wechseln eines Schlauches kostet 12 Euro.

## Leihräder

Während der Reparatur erhalten Kunden kostenlos ein Leihrad. Die Kaution beträgt 50 Euro.`,
    asked: [
      { question: 'Wann hat die Werkstatt geöffnet?', answer: 'dienstags bis samstags' },
      { question: 'Was kostet eine Inspektion?', answer: '59 Euro' },
      { question: 'Wie hoch ist die Kaution für ein Leihrad?', answer: 'Kaution' },
    ],
  },
  {
    kind: 'Spanish',
    name: 'escuela.txt',
    text: `Las clases de guitarra se dan los lunes y los miércoles por la tarde.

La matrícula cuesta 30 euros y se paga una sola vez.

Los instrumentos se pueden alquilar por 15 euros al mes.`,
    asked: [
      { question: '¿Cuándo son las clases de guitarra?', answer: 'lunes' },
      { question: '¿Cuánto cuesta la matrícula?', answer: '30 euros' },
      { question: '¿Puedo alquilar un instrumento?', answer: 'alquilar' },
    ],
  },
  {
    kind: 'French',
    name: 'cave.txt',
    text: `Les dégustations ont lieu le samedi à seize heures dans la cave voûtée.

La livraison est gratuite à partir de douze bouteilles.

Les groupes de plus de huit personnes réservent une semaine à l'avance.`,
    asked: [
      { question: 'Quand ont lieu les dégustations ?', answer: 'samedi' },
      { question: 'La livraison est-elle gratuite ?', answer: 'douze bouteilles' },
      { question: 'Comment réserver pour un groupe ?', answer: 'une semaine' },
    ],
  },
  {
    kind: 'code',
    name: 'client.md',
    text: `# Client

## Configuration

Set \`retry_limit\` to change how often a call is tried again; it is 3.

## Functions

### getOrderById

Returns an order, or throws \`OrderNotFoundError\`.

\`\`\`ts
const order = await client.getOrderById(42)
\`\`\`

### listOrders

Takes \`page_size\` (100 at most) and answers the newest orders first.

## Errors

\`ERR_2041\` says that the signature has expired: sign the request again.`,
    asked: [
      { question: 'getOrderById', answer: 'OrderNotFoundError' },
      { question: 'What does ERR_2041 mean?', answer: 'signature has expired' },
      { question: 'retry_limit', answer: 'tried again' },
      { question: 'How large can a page of orders be?', answer: 'page_size' },
    ],
  },
]
