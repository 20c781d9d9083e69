import type { Passage } from '../../language-model/knowledge.ts'
import { citation } from '../../language-model/prompt.ts'
import type { Citation } from './table.ts'

const maxCitations = 20

/** The sources in brackets that a reply names, of the passages that it could draw on; each once. */
export function citationsIn(reply: string, passages: readonly Passage[]): Citation[] {
  const named = passages.filter(
    (passage) => reply.includes(`[${citation(passage)}]`) || reply.includes(`[${passage.file}]`),
  )
  const bySource = new Map(named.map(({ file, heading }) => [citation({ file, heading }), { file, heading }]))
  return [...bySource.values()].slice(0, maxCitations)
}
