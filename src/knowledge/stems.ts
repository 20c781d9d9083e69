import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import type { Language } from './language.ts'

const stemmers: Record<Language, (word: string) => string> = { en: english, de: german, es: spanish, fr: french }

/** Letters without their marks: `Frühstück` is also found as `Fruhstuck`. */
export const folded = (word: string) => word.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')

/** What the forms of a word in lower case have in common; of short words and those with digits, the word itself. */
export const stemOf = (word: string, language: Language) =>
  folded(word.length <= 3 || /\d/.test(word) ? word : stemmers[language](word))
