import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { inEnglish } from '../../src/knowledge/glossary/english.ts'
import { glossaryLanguages } from '../../src/knowledge/glossary/glossary.ts'

test.each([
  ['forms of a word', 'Die Hunde sind geimpft', 'dog are vaccinated'],
  ['a compound by its parts', 'Das ist der Kellerschlüssel', 'is basement key'],
  ['a word before another with the same stem', 'Das ist schön und schon fertig', 'is beautiful and already finished'],
  ['several words together', 'Mein Passwort ist so bald wie möglich neu', 'my password is as soon as possible new'],
  ['a verb with pronouns', '¿Puedo devolverlo mañana?', '¿can return give back tomorrow morning?'],
  ['accents that were left out', 'Los medicos atienden los sabados', 'doctors attend to Saturday'],
  [
    'elided words',
    "Qu’est-ce que c'est ? L’été, j’achète d'autres fleurs",
    'what it is ? summer been, buy other flower',
  ],
  ['several French words together', 'J’ai oublié mon mot de passe', 'have forgotten my password'],
  [
    'numbers, codes, signs and lines',
    'Preis: 18,50 € je Stück (E-417)\nund 3 kg',
    'price: 18,50 € per piece (E-417)\nand 3 kg',
  ],
  ['what is in no glossary', 'Wir sind in Quakenbrück', 'we are in Quakenbrück'],
  [
    'a row of a table without small words',
    'Leistung: Zahnreinigung; Preis: 80 Euro',
    'service: teeth cleaning; price: 80 euro',
  ],
  [
    'words of which another glossary has some',
    'Brocante; Caisse; Paquet; Fromage',
    'flea market; cash desk; package; cheese',
  ],
  [
    'codes, sizes and addresses',
    'Für A4, AM-20 und Größe M: info@haus.de, www.garten.de/preise',
    'for A4, AM-20 and size M: info@haus.de, www.garten.de/preise',
  ],
  ['letters that came apart from their marks', 'Geöffnet für Männer'.normalize('NFD'), 'open for man'],
  ['a phrase over two spaces', 'Mein Passwort ist so  bald wie möglich neu', 'my password is as soon as possible new'],
  ['quoted letters', "Die Größe ist 'M' und die Gruppe 'c'", "size is 'M' and group 'c'"],
  ['one word', 'Kündigung', 'termination'],
  ['a plural alone', 'Parkplätze', 'car park'],
  ['two words', 'Hunde erlaubt', 'dog allowed'],
  ['a compound alone', 'Kellerschlüssel', 'basement key'],
  [
    'lines, each in its language',
    'Haben Sie am Sonntag geöffnet?\nWhat does a ticket cost?',
    'have she you on Sunday open?\nWhat does a ticket cost?',
  ],
  ['a heading', 'Preise > Kinder\nDer Eintritt ist frei.', 'prices > children\nadmission is free.'],
])('%s of German, Spanish and French are put into English', (_, text, english) => {
  expect(inEnglish(text)).toBe(english)
})

test.each([
  ['English', 'The gift is for the chef and the handy man'],
  ['English without small words', 'Gift card: 25 euro; Valid: two years'],
  ['a possessive', "Men's sale"],
  ['a single letter', 'Vitamin C tablets'],
  ['a size', 'Shirt; Size: M; Color: red'],
  ['a small word of another language', 'Hay fever tablets'],
  ['a product', 'Plus size dresses'],
  ['a name of places', 'El Paso branch opening hours'],
  ['a command', 'git pull'],
  ['a name', 'Hamburg'],
  ['a company', 'Müller GmbH'],
  ['a word that can be cut into German ones', 'apples'],
  ['a heading over English', 'Plus Protection\nTheft and loss are not insured.'],
  ['Italian', 'Il negozio è aperto da lunedì a venerdì'],
  ['a row in Italian', 'Orario di apertura: lunedì, martedì'],
  ['Portuguese', 'O pagamento pode ser feito com cartão ou em dinheiro'],
  ['Dutch', 'De winkel is open van maandag tot en met vrijdag'],
  ['no words', '12:30 – 18:00'],
  ['nothing', ''],
])('%s stays as it is', (_, text) => {
  expect(inEnglish(text)).toBe(text)
})

test.each(['Das ist ', ''])('a word of any length after "%s" stays as it is', (before) => {
  const word = 'ou'.repeat(50_000)
  expect(inEnglish(`${before}${word}`)).toBe(`${before === '' ? '' : 'is '}${word}`)
})

test.each(glossaryLanguages)(
  'the glossary "%s" has each headword once, in lower case, and English without marks',
  async (language) => {
    const text = await readFile(new URL(`../../src/knowledge/glossary/${language}.tsv`, import.meta.url), 'utf8')
    const lines = text.trimEnd().split('\n')
    expect(lines.filter((line) => !/^\p{Ll}+(?:[ '-]\p{Ll}+)*\t[^\t]*$/u.test(line))).toEqual([])
    const headwords = lines.map((line) => line.split('\t')[0])
    expect(new Set(headwords).size).toBe(headwords.length)
    expect(lines.filter((line) => !/^[^\t]+\t(?:[A-Za-z0-9'.-]+(?: [A-Za-z0-9'.-]+)*)?$/.test(line))).toEqual([])
  },
)

test('of the English texts that the embedder is tuned with, one in a thousand is taken for another language at most', async () => {
  const folder = new URL('../../training/pairs/', import.meta.url)
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8')))
  const texts = files
    .flatMap((file) => file.trimEnd().split('\n'))
    .map((line): { passage: string; questions: string[] } => JSON.parse(line))
    .flatMap(({ passage, questions }) => [passage, ...questions])
  expect(texts.length).toBeGreaterThan(10_000)
  expect(texts.filter((text) => inEnglish(text) !== text).length).toBeLessThan(texts.length / 1_000)
})
