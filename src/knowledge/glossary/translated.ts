import { stemOf } from '../stems.ts'
import { type Glossary, type GlossaryLanguage, glossaryOf } from './glossary.ts'
import { type Token, tokensOf } from './tokens.ts'
import { wordInEnglish } from './word.ts'

/** What may stand between the words of a phrase. */
const joint = /^(?:\s+|['’-])$/

/** The longest phrase that begins at a word. */
function phraseAt(
  text: string,
  tokens: readonly Token[],
  { at, stems, glossary }: { at: number; stems: readonly string[]; glossary: Glossary },
) {
  const most = glossary.phraseLength(stems[at] ?? '')
  let count = 1
  for (; count < most; count++) {
    const [last, next] = [tokens[at + count - 1], tokens[at + count]]
    if (!last || !next || !joint.test(text.slice(last.to, next.from))) break
  }
  for (; count > 1; count--) {
    const words = tokens.slice(at, at + count).map(({ word }) => word)
    const english = glossary.phrase(words, stems.slice(at, at + count))
    if (english !== undefined) return { english, count }
  }
  return undefined
}

/** What stands before an apostrophe in French: an article, a pronoun, or half of a negation. */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)$/

/** A line in English; `language` is that which it is in. */
export function translated(line: string, language: GlossaryLanguage): string {
  const glossary = glossaryOf(language)
  const tokens = tokensOf(line)
  const stems = tokens.map(({ word }) => stemOf(word, language))
  const isElided = ({ word, to }: Token) =>
    language === 'fr' && elided.test(word) && /^['’]\p{L}/u.test(line.slice(to, to + 2))
  const wordOf = (token: Token) => {
    if (isElided(token)) return { english: '', to: token.to + 1 }
    return { english: token.isLetter ? undefined : wordInEnglish(token.word, language, glossary), to: token.to }
  }
  let result = ''
  let written = 0
  let next = 0
  for (const [at, token] of tokens.entries()) {
    if (at < next) continue
    const phrase = phraseAt(line, tokens, { at, stems, glossary })
    next = at + (phrase?.count ?? 1)
    const { english, to } = phrase ? { english: phrase.english, to: tokens[next - 1]?.to ?? token.to } : wordOf(token)
    if (english === undefined) continue
    result += line.slice(written, token.from) + english
    written = to
  }
  return (result + line.slice(written)).replaceAll(/\s{2,}/g, ' ').trim()
}
