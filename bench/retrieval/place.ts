import type { Search } from '../../src/resources/files/search.ts'
import type { Corpus } from './corpus.ts'

/** Places after these count as missing. */
export const deepest = 10

/** At which place a search of a corpus has a passage, counted from 1; undefined where it does not find it. */
export async function placeOf(
  search: Search,
  { agentId, workspaceId }: Corpus,
  { query, passage }: { query: string; passage: string },
): Promise<number | undefined> {
  const found = await search({ agentId, workspaceId, query, limit: deepest })
  const place = found.findIndex(({ text }) => text === passage)
  return place < 0 ? undefined : place + 1
}
