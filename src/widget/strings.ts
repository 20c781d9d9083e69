import { ar } from './strings/ar.ts'
import { de } from './strings/de.ts'
import { en, type Strings } from './strings/en.ts'
import { es } from './strings/es.ts'
import { fr } from './strings/fr.ts'
import { it } from './strings/it.ts'
import { ja } from './strings/ja.ts'
import { nl } from './strings/nl.ts'
import { pl } from './strings/pl.ts'
import { pt } from './strings/pt.ts'

const languages: ReadonlyMap<string, Strings> = new Map(Object.entries({ en, de, fr, es, it, pt, nl, pl, ar, ja }))

const fromRightToLeft = ['ar']

const directionOf = (language: string) => (fromRightToLeft.includes(language) ? 'rtl' : 'ltr')

/** The texts of the first language that there are texts in, English when there are none; its tag, and its direction. */
export function stringsFor(tags: readonly (string | undefined)[]): {
  language: string
  direction: 'rtl' | 'ltr'
  strings: Strings
} {
  for (const tag of tags) {
    const language = tag?.split('-')[0]?.toLowerCase() ?? ''
    const strings = languages.get(language)
    if (strings) return { language, direction: directionOf(language), strings }
  }
  return { language: 'en', direction: 'ltr', strings: en }
}
