import type { Language } from '../../knowledge/language.ts'

/** What the local model says in its own words. */
interface Phrases {
  /** Before an answer that shares little with the question: it may be beside the point. */
  closest: string
  unknown: string
}

const english: Phrases = {
  closest: 'I am not sure that this is what you mean:',
  unknown: 'I do not know: what I have been given says nothing about that.',
}

const phrases: Record<Language, Phrases> = {
  en: english,
  de: {
    closest: 'Ich bin nicht sicher, ob Sie das meinen:',
    unknown: 'Das weiß ich nicht: In meinen Unterlagen steht nichts darüber.',
  },
  es: {
    closest: 'No estoy seguro de que se refiera a esto:',
    unknown: 'No lo sé: mis documentos no dicen nada sobre eso.',
  },
  fr: {
    closest: 'Je ne suis pas sûr que ce soit ce que vous cherchez :',
    unknown: 'Je ne sais pas : mes documents n’en disent rien.',
  },
}

export const phrasesIn = (language: Language | undefined): Phrases => (language ? phrases[language] : english)
