import { agentsAlone } from './verbs.ts'

/** What only callers write to, call or have: an address, a telephone number, "online", "us", "your". */
const theirs =
  /\w@\w|https?:|www\.|\w\.(?:com|org|net|example|co|io|eu|info|shop|de|es|fr|uk)(?![\p{L}\p{N}])|(?<!\d)(?:\+\d|\d{3}[ ./-]?\d{3})|(?<!\p{L})(?:online|us|on our|at our|nous|uns|nos(?= )|en línea|en ligne)(?!\p{L})/iu
/** What is somebody's, unless it is what an agent has. */
const yours =
  /(?<!\p{L})(?:your|yours|yourself|tu|tus|votre|vos|dein|deine[nmrs]?)(?!\p{L})(?! (?:own |full |first |best )?(?:names?|answers?|repl|responses?|roles?|tasks?|tone|voice|tools?|knowledge|instructions?|callers?|customers?|words|questions?|sentences|nombre|respuestas?|tono|voz|nom|réponses?|ton|voix|interlocuteur|antworten|namen?|stimme))/iu
/** Only with a capital is it "your" and not "her". */
const formal = /(?<=\s)Ihre?[nmrs]?(?!\p{L})(?! (?:Namen?|Antworten|Stimme|Aufgabe))/u
const toThem =
  /^(?:please |and )?\S+[- ](?:us|nous|uns|sie uns)(?!\p{L})|^(?:llámenos|contáctenos|visítenos|escríbanos)/iu
const whoComes =
  /^(?:if|when|once|before|after) you (?:arrive|come|visit|want|wish|need|prefer|feel|are late|have lost)\b/i

/** Whether an order is for callers: how to come, to call, to write or to pay. */
export const isForCallers = (said: string, verb: string, sentence: string): boolean =>
  toThem.test(said) ||
  (!agentsAlone.has(verb) &&
    (theirs.test(sentence) || yours.test(sentence) || formal.test(sentence) || whoComes.test(sentence)))
