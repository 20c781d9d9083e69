import { agentsAlone } from './verbs.ts'

/** What only callers write to or call: an address, a telephone number. */
const address =
  /\w@\w|https?:|www\.|\w\.(?:com|org|net|example|co|io|eu|info|shop|de|es|fr|uk)(?![\p{L}\p{N}])|(?<!\d)(?:\+\d|\d{3}[ ./-]?\d{3})/iu
/** Where only callers go, unless they are told not to: "Never speak badly of us" is no word to them. */
const withUs = /(?<!\p{L})(?:online|(?<!let )us|on our|at our|nous|uns|nos(?= )|en línea|en ligne)(?!\p{L})/iu
/** What is somebody's, unless it is what an agent has. */
const yours =
  /(?<!\p{L})(?:your|yours|yourself|tu|tus|votre|vos|dein|deine[nmrs]?)(?!\p{L})(?! (?:own |full |first |best )?(?:names?|answers?|repl|responses?|roles?|tasks?|tone|voice|tools?|knowledge|instructions?|callers?|customers?|words|prompts?|scripts?|outputs?|messages?|turns?|languages?|style|judge?ment|cool|patien\p{L}+|temper|questions?|sentences|nombre|respuestas?|tono|voz|nom|réponses?|ton|voix|interlocuteur|peux|dois|devrais|vas|antworten|namen?|stimme))/iu
/** Only with a capital is it "your" and not "her". */
const formal = /(?<=\s)Ihre?[nmrs]?(?!\p{L})(?! (?:Namen?|Antworten|Stimme|Aufgabe))/u
const toThem =
  /^(?!(?:please )?let us know(?!.*\byour?\b))(?:please |and )?\S+[- ](?:us|nous|uns|sie uns)(?!\p{L})|^(?:llámenos|contáctenos|visítenos|escríbanos)/iu
const whoComes =
  /^(?:if|when|once|before|after) you (?:arrive|come|visit|want|wish|need|prefer|feel|are late|have lost)\b/i

/** Ways and doors, and what is not allowed to guests. */
const guests =
  /^(?:please )?(?:(?:take|use) (?:the|our) (?:\p{L}+ )?(?:stairs|lift|elevator|escalator|bus|train|tram|metro|ferry|exit|entrance|door|gate|car park|bell|intercom|lockers?)|ask at (?:the |our )?(?:reception|front desk|desk|bar|counter|till|office|entrance|gate)|(?:never|do not|don['’]t) (?:bring(?! up)|park|smoke|swim|dive|feed|wear|touch|climb|eat|drink|leave (?:any )?(?:valuables|luggage|bags|children|dogs|pets|rubbish|litter|bicycles|bikes|cars|shoes)))(?!\p{L})/iu
const denied = /^(?:please )?(?:never|do not|don['’]t|you (?:\w+ )?(?:not|never)) (?:ever |\w+ly )?(\w+)/i

/** Whether an order is for callers: how to come, to call, to write or to pay. */
export function isForCallers(said: string, verb: string, sentence: string): boolean {
  if (toThem.test(said) || guests.test(said) || guests.test(sentence)) return true
  const not = denied.exec(sentence)?.[1]?.toLowerCase()
  if (agentsAlone.has(verb) || (not !== undefined && agentsAlone.has(not))) return false
  if (address.test(sentence) || yours.test(sentence) || formal.test(sentence)) return true
  return not === undefined && (withUs.test(sentence) || whoComes.test(sentence))
}
