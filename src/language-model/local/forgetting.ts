const known = `you(?:['’]ve| have)? (?:know|knew|learned|learnt|remember|remembered|noted|stored|saved)`

const told = `i(?:['’]ve| have)? (?:said|told you)`

/** What asks for it: the imperative, and what may stand before it. */
const begun = String.raw`^(?:[\p{L}'’-]{1,30}, )?(?:(?:please|ok|okay|hey|hi|so|well|now|and|then|also|but|no|yes|sorry)[,!]* )*(?:(?:can|could|would) you |you (?:can|may|should|must) |i(?:['’]d| would)? (?:want|like|need) you to )?(?:(?:please|now|just|kindly) )*`
const asked = String.raw`(?:forget(?![\p{L}\p{N}'’-])|stop remembering\b|(?:delete|erase|remove) (?=(?:what|everything|all|anything)(?: that)? ${known}\b)|(?:do not|don['’]?t|never) (?:remember|note|keep in mind) (?=that\b))`
/** After something else that is said: elsewhere the words are somebody else's, or about somebody else. */
const joined = `(?:[,;] (?:(?:and|but|so) )?| (?:and|but|so) )please (?:just )?`
const request = new RegExp(`((?:${begun}|${joined})${asked})[: ]*(.*)`, 'iu')
const notRemembered = /\b(?:remember|note|keep in mind) ?$/i
const ability = /\b(?:can|could|would) you\b/i
const firstPerson = /\b(?:i|me|my|we|us|our)\b/i

/** Where something else begins to be said. */
const continued =
  /[,;] (?:(?:and|but|so|now) )?(?=(?:i|my [\p{L} -]{1,30} (?:is|are))\b)|[,;]? (?:and|but) (?=(?:please )?(?:forget\b|(?:remember|note|keep in mind|(?:do not|don['’]?t) forget)(?: that|:)))/iu

const whole = new RegExp(
  `^(?:about )?(?:(?:everything|all)(?: about me)?|(?:everything|all|anything)(?: that)? (?:${known}|${told})(?: (?:about|of) me)?|(?:what|whatever) (?:${known}|${told}) (?:about|of) me)(?:,? (?:please|now|so far))*$`,
  'i',
)
const introduced = new RegExp(
  String.raw`^(?:(?:everything|all|anything|what|whatever)(?: that)?(?: (?:${known}|${told}))? (?:about|of) |(?:that|about|what|where|who|how|when)\b[: ]*)+`,
  'i',
)

/** A request to forget: what, or everything; and what the sentence says before and after it. */
export interface ForgetRequest {
  before: string
  what: string
  /** The things that it may name, where "and" is between them. */
  parts: string[]
  isAll: boolean
  after: string
}

/**
 * What a sentence asks to forget. Undefined for one that asks for nothing: somebody forgets something, the agent is
 * told not to, or asked whether something can be forgotten.
 */
export function forgetRequestIn(sentence: string): ForgetRequest | undefined {
  const found = request.exec(sentence)
  if (!found) return undefined
  const [, head = '', rest = ''] = found
  const { index: end = rest.length, 0: link = '' } = continued.exec(rest) ?? {}
  const object = rest
    .slice(0, end)
    .replace(/(?<![.!?,;\s])[.!?,;\s]+$/, '')
    .replace(/,? (?:please|thanks|thank you)$/i, '')
  const isAll = whole.test(object)
  if (sentence.trimEnd().endsWith('?')) {
    const isPlain = !ability.test(head) || /\bplease\b/i.test(sentence) || isAll || firstPerson.test(object)
    // "Don't remember that word, what is it called?" leaves out "I".
    if (found.index > 0 || !isPlain || notRemembered.test(head)) return undefined
  }
  const bare = (text: string) => text.replace(introduced, '')
  return {
    before: sentence.slice(0, found.index),
    what: bare(object),
    parts: object.split(' and ').map(bare),
    isAll,
    after: rest.slice(end + link.length),
  }
}
