const who = [
  'The porter',
  'A nurse',
  'The gardener',
  'Our cook',
  'The cashier',
  'A trainer',
  'The caretaker',
  'The owner',
]
const does = ['opens', 'inspects', 'cleans', 'paints', 'locks', 'counts', 'repairs', 'describes', 'photographs']
const what = ['the cellar', 'all windows', 'the garden gate', 'every shelf', 'the boiler', 'two lifts', 'the archive']
const when = ['before breakfast', 'on Mondays', 'in the first week of May', 'after closing time', 'when it rains']

/** A text of a handbook's shape with exactly so many characters: sentences in paragraphs, none repeated soon. */
export function handbook(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) {
    const words = [who, does, what, when].map((list, place) => list[Math.floor(n / (place + 1)) % list.length])
    text += `${words.join(' ')}, as rule ${n} of the house says.${n % 6 === 5 ? '\n\n' : ' '}`
  }
  return text.slice(0, length)
}
