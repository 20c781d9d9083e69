import type { Glossary } from './glossary.ts'

/** Letters that join the parts of a German compound. */
const joints = ['', 's', 'es', 'n', 'en', 'e', 'er']
/** Shorter parts are found in too many words. */
const shortestPart = 3
const maxParts = 4
/** Longer runs of letters are no words. */
const maxCompoundLength = 40

function withoutJoint(part: string, glossary: Glossary): string | undefined {
  for (const joint of joints) {
    if (!part.endsWith(joint) || part.length - joint.length < shortestPart) continue
    const english = glossary.word(part.slice(0, part.length - joint.length))
    if (english) return english
  }
  return undefined
}

/** A German compound in English, part by part, its last part as long as can be: `Öffnungszeiten` is "opening time". */
export function compoundInEnglish(word: string, glossary: Glossary, parts = maxParts): string | undefined {
  if (word.length > maxCompoundLength) return undefined
  for (let at = shortestPart; at <= word.length - shortestPart; at++) {
    const last = glossary.word(word.slice(at))
    if (!last) continue
    const before = word.slice(0, at)
    const first =
      withoutJoint(before, glossary) ?? (parts > 2 ? compoundInEnglish(before, glossary, parts - 1) : undefined)
    if (first !== undefined) return `${first} ${last}`
  }
  return undefined
}
