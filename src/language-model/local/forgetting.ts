const known = `you(?:['’]ve| have)? (?:know|knew|learned|learnt|remember|remembered|noted|stored|saved)`

/** What asks for it: the imperative, and what may stand before it. */
const begun = String.raw`^(?:[\p{L}'’-]{1,30}, )?(?:(?:please|ok|okay|hey|hi|so|well|now|and|then|also|but|no|yes|sorry)[,!]* )*(?:(?:can|could|would) you |you (?:can|may|should|must) |i(?:['’]d| would)? (?:want|like|need) you to )?(?:(?:please|now|just|kindly) )*`
const asked = String.raw`(?:forget(?![\p{L}\p{N}'’-])|stop remembering\b|(?:delete|erase|remove) (?=(?:what|everything|all|anything)(?: that)? ${known}\b))`
const request = new RegExp(String.raw`(?:${begun}|\bplease (?:just )?)${asked}[: ]*(.*)`, 'iu')

const whole = new RegExp(
  `^(?:about )?(?:(?:everything|all)(?: about me)?|(?:everything|all|anything)(?: that)? (?:${known}|i(?:['’]ve| have)? (?:said|told you))(?: (?:about|of) me)?|(?:what|whatever) ${known} (?:about|of) me)(?:,? (?:please|now|so far))*$`,
  'i',
)
const introduced = new RegExp(
  String.raw`^(?:(?:everything|all|anything|what|whatever)(?: that)?(?: ${known})? (?:about|of) |(?:that|about|what|where|who|how|when)\b[: ]*)+`,
  'i',
)

/** A request to forget: what, or everything; and what the sentence says before it. */
export interface ForgetRequest {
  before: string
  what: string
  isAll: boolean
}

/**
 * What a sentence asks to forget. Undefined for one that asks for nothing: somebody forgets something, or the agent is
 * told not to.
 */
export function forgetRequestIn(sentence: string): ForgetRequest | undefined {
  const found = request.exec(sentence)
  if (!found) return undefined
  const object = (found[1] ?? '').replace(/[.!?,;\s]+$/, '')
  return { before: sentence.slice(0, found.index), what: object.replace(introduced, ''), isAll: whole.test(object) }
}
