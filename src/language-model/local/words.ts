const stopWords = new Set(
  `a about again all also am an and any anything are as at be been but by can could did do does for from get give had has
  have he her him his how i if in into is it its just know like may me mine might more much my no not of on or our ours
  please say she should so some tell than that the their them there they this to up us was we were what when where which
  who whom whose why will with would you your yours`.split(/\s+/),
)

/** The stem of an English word, roughly: enough that `opening`, `opens` and `open` meet. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(.{3})(ing|ed|ly)$/, '$1')
    .replace(/(.{2})e$/, '$1')
  return base.replace(/([b-df-hj-np-tv-z])\1$/, '$1')
}

/** The words of a text in lower case, without punctuation. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/['’]s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The stems of the words that say something. */
export const termsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(stem)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const longest = 400

/** The sentences of a text: lines first, then sentences; very long ones are cut. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+/)
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment))
    .map((sentence) => sentence.replace(/^\s*([-*#>]|\d+[.)])+\s*/, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => (sentence.length > longest ? `${sentence.slice(0, longest)}...` : sentence))
