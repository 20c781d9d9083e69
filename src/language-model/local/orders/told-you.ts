import { type Language, languages } from '../../../knowledge/language.ts'
import { agentsWork, callersWork } from './verbs.ts'

/** What stands before a verb that says what an agent, or a caller, can or must do. */
const modal: Readonly<Record<Language, RegExp>> = {
  en: /\byou (?:(?:can|must|may|will|should|shall|have to|need to|are to) )?(?:(?:not|never|always|only|also|first|then|please|\w+ly) )*(\w+)/i,
  de: /(?<!\p{L})(?:du (?:musst|sollst|solltest|darfst|kannst|wirst)|sie (?:müssen|sollen|sollten|dürfen nicht)|man (?:muss|soll))(?!\p{L}).*?(\p{L}+)[.!]?$/iu,
  es: /(?<!\p{L})(?:debes?|deberás?|tienes? que|hay que|puedes) (?:(?:siempre|primero|no|también) )*(\p{L}+)/iu,
  fr: /(?<!\p{L})(?:vous devez|vous devrez|tu dois|tu peux|il (?:ne )?faut) (?:(?:toujours|jamais|pas|aussi|d['’]abord) )*(\p{L}+)/iu,
}

/** A sentence with "you" where nothing says for whom it is: an order, unless its verb is one of what callers do. */
const told: Readonly<Record<Language, RegExp>> = {
  en: /(?:^|[:;,]\s+)you (?!(?:can|cannot|can['’]t|could|are|were|would|might|['’])(?!\p{L}))(?:(?:must|may|will|should|shall|have to|need to|ought to|do|did|mustn['’]t|shouldn['’]t|won['’]t|don['’]t) )?(?:(?:not|never|always|only|also|first|then|please|have to|need to|\w+ly) )*(\w+)/iu,
  de: /^du (?:musst|darfst)(?!\p{L}).*?(\p{L}+)[.!]?$/iu,
  es: /^debes (?:(?:siempre|primero|no|también|nunca) )*(\p{L}+)/iu,
  fr: /^tu (?:dois|peux|devrais) (?:(?:toujours|jamais|pas|aussi|d['’]abord) )*(\p{L}+)/iu,
}

/** Where a verb of both is one of an agent: "You can use the calendar tool", "You take messages". */
const agents = [
  /(?<!\p{L})(?:the|a|an|any|each|every|all|your) (?:\w+ )?(?:tools?|calendar|crm|function|script|prompt|conversation|caller)(?!\p{L})/iu,
  /\b(?:go|come) (?:down|below|under|lower|as low|up to \d)/i,
  /\byou (?:must |should |may |will |always |only |never )*(?:have access|have (?:the following|these|several|various) tools)\b/i,
  /^du (?:sollst|solltest)(?!\p{L})/iu,
  /\b(?:keep|leave) (?:it|them|things|every\w*) (?:short|simple|brief|light|friendly|polite|professional)\b/i,
]

/** And where it is one of callers: "You can take the bus", "You must be 18". */
const callers = [
  /\byou (?:\w+ )*?take (?!(?:an? |the |their |all |down\b|over\b|care\b|new |any )*(?:calls?|messages?|orders?|bookings?|reservations?|appointments?|notes?|names?|numbers?|details|requests?|complaints?|down|over|care)\b)/i,
  /\byou (?:\w+ )*?(?:speak|talk) (?:with|to) (?:dr|mr|mrs|ms|our|one of|a)\b/i,
  /\byou (?:\w+ )*?book (?:at least|ahead|early|in advance|by|until|up to|\d|(?:\w+ )?(?:days?|hours?|weeks?)\b)/i,
  /\byou (?:\w+ )*?be (?:at|here|there|back|able|over|under|aged|in (?:possession|good health)|\d|(?!relaxed|focused|organi[sz]ed|reserved)\w+ed\b|given|told|sent|met|shown|taken|welcome)/i,
  /\byou (?:\w+ )*?stay (?:overnight|at|in(?! character)|for|with|until|longer|\d|here|there|as long)/i,
  /\byou (?:\w+ )*?keep (?:(?:it|them)(?=[.,]|$| (?:for|until|in|at|as)\b)|the\b|your\b)/i,
  /\byou (?:may|can) (?:\w+ly |also |always )?use\b/i,
  /\byou (?:\w+ )*?use (?:the|our) (?:\w+ )?(?:entrance|door|gate|stairs|lift|elevator|car park|pool|gym|sauna|exit|lockers?|showers?|toilets?)\b/i,
  /^(?:du musst|sie müssen).*(?:\d+ (?:stunden?|tage?|wochen?)|vorher|rechtzeitig).*(?<!\p{L})(?:absagen|bestätigen)[.!]?$/iu,
]

/** Whether a sentence says to an agent what it can or must do. */
export function isToldTheWork(said: string): boolean {
  if (agents.some((pattern) => pattern.test(said)) && languages.some((each) => modal[each].test(said))) return true
  if (callers.some((pattern) => pattern.test(said))) return false
  return languages.some((language) => {
    const work = modal[language].exec(said)?.[1]?.toLowerCase() ?? ''
    const verb = told[language].exec(said)?.[1]?.toLowerCase()
    return agentsWork[language].has(work) || (verb !== undefined && !callersWork[language].has(verb))
  })
}
