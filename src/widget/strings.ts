import { de } from './strings/de.ts'
import { en, type Strings } from './strings/en.ts'
import { es } from './strings/es.ts'
import { fr } from './strings/fr.ts'

const languages: ReadonlyMap<string, Strings> = new Map(Object.entries({ en, de, fr, es }))

/** The texts of the first language that there are texts in, English when there are none; and its tag. */
export function stringsFor(tags: readonly (string | undefined)[]): { language: string; strings: Strings } {
  for (const tag of tags) {
    const language = tag?.split('-')[0]?.toLowerCase() ?? ''
    const strings = languages.get(language)
    if (strings) return { language, strings }
  }
  return { language: 'en', strings: en }
}
