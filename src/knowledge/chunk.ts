const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
/** The segmenter takes ever longer for a line that goes on, above all for one of spaces. */
const longestLine = 10_000

const cut = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

const separators: ((text: string) => string[])[] = [
  (text) => text.split(/(?<=\n)\s*\n/),
  (text) => text.split(/(?<=\n)/),
  (text) => cut(text, longestLine).flatMap((part) => [...sentences.segment(part)].map(({ segment }) => segment)),
]

/** Pieces no longer than `size`, split where a reader would: paragraphs, lines, sentences, then anywhere. */
function pieces(text: string, size: number, level = 0): string[] {
  if (text.length <= size) return [text]
  const split = separators[level]
  if (split) return split(text).flatMap((part) => pieces(part, size, level + 1))
  return cut(text, size)
}

/** The last whole words of a chunk, which the next one repeats so that no thought is cut in two. */
const tail = (text: string, length: number) => text.slice(-length).replace(/^\S*\s/, '')

/** Passages of about `size` characters, each with a little of the one before. */
export function chunksOf(text: string, size = 800, overlap = 80): string[] {
  const chunks: string[] = []
  let current = ''
  for (const piece of pieces(text, size)) {
    if (current.length + piece.length > size && current.trim()) {
      chunks.push(current.trim().toWellFormed())
      current = tail(current, overlap)
    }
    current += piece
  }
  if (current.trim()) chunks.push(current.trim().toWellFormed())
  return chunks
}
