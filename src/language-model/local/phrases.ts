import { type Language, languages } from '../../knowledge/language.ts'

/** What the local model says in its own words. */
interface Phrases {
  /** Before an answer that shares little with the question: it may be beside the point. */
  closest: string
  unknown: string
  /** On the phone, in place of that; then what is said when the caller accepts, has spoken, and declines. */
  offer: string
  goAhead: string
  taken: string
  otherwise: string
}

const english: Phrases = {
  closest: 'I am not sure that this is what you mean:',
  unknown: 'I do not know: what I have been given says nothing about that.',
  offer: 'I do not have that at hand. Shall I take a message?',
  goAhead: 'Please go ahead.',
  taken: 'Thank you, I have taken that down. Is there anything else?',
  otherwise: 'All right. Is there anything else?',
}

const phrases: Record<Language, Phrases> = {
  en: english,
  de: {
    closest: 'Ich bin nicht sicher, ob Sie das meinen:',
    unknown: 'Das weiß ich nicht: In meinen Unterlagen steht nichts darüber.',
    offer: 'Das habe ich gerade nicht zur Hand. Darf ich eine Nachricht aufnehmen?',
    goAhead: 'Ja, bitte.',
    taken: 'Danke, das habe ich notiert. Kann ich sonst noch etwas für Sie tun?',
    otherwise: 'In Ordnung. Kann ich sonst noch etwas für Sie tun?',
  },
  es: {
    closest: 'No estoy seguro de que se refiera a esto:',
    unknown: 'No lo sé: mis documentos no dicen nada sobre eso.',
    offer: 'No tengo eso a mano. ¿Quiere dejar un mensaje?',
    goAhead: 'Adelante, por favor.',
    taken: 'Gracias, he tomado nota. ¿Desea algo más?',
    otherwise: 'De acuerdo. ¿Desea algo más?',
  },
  fr: {
    closest: 'Je ne suis pas sûr que ce soit ce que vous cherchez :',
    unknown: 'Je ne sais pas : mes documents n’en disent rien.',
    offer: 'Je n’ai pas cela sous la main. Puis-je prendre un message ?',
    goAhead: 'Je vous écoute.',
    taken: 'Merci, c’est noté. Désirez-vous autre chose ?',
    otherwise: 'Très bien. Désirez-vous autre chose ?',
  },
}

/** The fixed sentences in a language; in English where it is not known. */
export const phrasesIn = (language: Language | undefined): Phrases => (language ? phrases[language] : english)

const whole = ['unknown', 'offer', 'goAhead', 'taken', 'otherwise'] as const

/** Which of the fixed sentences a reply is, in any language. */
export const phraseOf = (reply: string): (typeof whole)[number] | undefined =>
  whole.find((name) => languages.some((language) => phrases[language][name] === reply.trim()))
