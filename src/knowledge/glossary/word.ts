import { otherForms } from '../verb-forms.ts'
import { compoundInEnglish } from './compounds.ts'
import type { Glossary, GlossaryLanguage } from './glossary.ts'

/** Spanish pronouns that are written in one with the verb before them. */
const pronoun = /(?:me|te|se|nos|los|las|les|lo|la|le)$/

/** A verb without the pronouns at its end, one and both of them. */
const withoutPronouns = (word: string) => {
  const once = word.replace(pronoun, '')
  return [once, once.replace(pronoun, '')].map((verb) =>
    verb.normalize('NFD').replaceAll('\u0301', '').normalize('NFC'),
  )
}

/**
 * A word in lower case in English, found by itself, by another form of it, or by its parts; undefined where the
 * glossary has none of them.
 */
export function wordInEnglish(word: string, language: GlossaryLanguage, glossary: Glossary): string | undefined {
  const known = glossary.word(word)
  if (known !== undefined) return known
  const forms = language === 'es' && pronoun.test(word) ? withoutPronouns(word) : []
  for (const form of [...otherForms(word, language === 'de'), ...forms]) {
    const english = glossary.word(form)
    if (english !== undefined) return english
  }
  return language === 'de' ? compoundInEnglish(word, glossary) : undefined
}
