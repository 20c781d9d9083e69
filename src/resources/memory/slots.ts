/** A text by its words alone: the same for texts that say the same. */
export const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const owned = /^(?:the user['’]s|user['’]s|my) (?:(?:new|current) )?([^.:]{1,40}?) (?:is|are)(?: now)? (.+)/i
/** What somebody has one of, by how it ends or begins. */
const single =
  /\b(?:name|surname|nickname|job|job title|profession|occupation|role|position|employer|company|boss|manager|address|number|email|e-mail|birthday|date of birth|age|height|weight|city|country|home ?town|nationality|time ?zone|native language|mother tongue|post ?code|zip code|plan|budget|deadline)$|^(?:favou?rite|preferred) /i

const amount =
  /^(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b(?! of\b))/i
const properName = /^(?:called |named )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2}[.!]?$/u
/** German, Danish, French: no name, or rarely one. */
const adjective = /(?:an|ish|ese|ch|ic|im)[.!]?$/

/** Two values of one kind do not hold at once: a daughter is six or seven, and has one name. */
function kindOf(value: string): string | undefined {
  if (amount.test(value)) return 'amount'
  return properName.test(value) && !adjective.test(value) ? 'name' : undefined
}

const home = /^(?:the user |user )?(?:now )?(?:lives?|living) in (.+)/i
/** A flat, the countryside; not the Netherlands. */
const noPlace = /^(?:(?:an?|my|our|his|her|their) |the \p{Ll})/u

const others: readonly [slot: string, pattern: RegExp][] = [
  ['called', /^(?:the user |user )?(?:wants? to be called|goes by)\b/i],
  [
    'employer',
    /^(?:the user |user )?(?:now )?works? (?:at|for) (?!(?:home|nights?|noon|weekends?|the (?:weekend|moment|office)|my (?:desk|computer)|free|fun|money|least|\d)\b)/i,
  ],
  ['work', /^(?:the user |user )?(?:now )?works? as\b/i],
]

/**
 * What a note is about, where a person has one of it at a time: a newer note about the same takes its place. Undefined
 * where two notes that begin alike may both hold.
 */
export function slotOf(note: string): string | undefined {
  const [, what, value] = owned.exec(note) ?? []
  if (what !== undefined && value !== undefined) {
    if (single.test(what)) return keyOf(what)
    const kind = kindOf(value)
    return kind && `${keyOf(what)}:${kind}`
  }
  const place = home.exec(note)?.[1]
  if (place !== undefined) return noPlace.test(place) ? undefined : ':home'
  const found = others.find(([, pattern]) => pattern.test(note))
  return found && `:${found[0]}`
}
