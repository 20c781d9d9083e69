import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { readsOf } from '../../db/reads.ts'
import { boundedCache } from '../../runtime/bounded-cache.ts'
import { knowledgeChunks, knowledgeFiles, knowledgeVersions } from './table.ts'

/** An agent's passages as they stood at one version. */
export interface AgentState {
  version: number
  passages: number
  /** Words of a passage, on average. */
  averageLength: number
  /** The files whose passages all have vectors of this embedder. */
  indexedFiles: readonly number[]
}

const maxBytes = 8 * 1024 * 1024
/** What an agent's numbers take, and each id of a file. */
const stateBytes = 64
const idBytes = 8

const versionColumns = { version: knowledgeVersions.version }
const findVersion = preparedSelect<{ version: number }>(versionColumns, (executor) =>
  executor
    .select(versionColumns)
    .from(knowledgeVersions)
    .where(eq(knowledgeVersions.agentId, sql.placeholder('agentId'))),
)

/** Reads what a search must know of an agent: one row while nothing has changed. */
export function createAgentStates(db: Database, indexId: string) {
  const known = boundedCache<number, AgentState>(
    maxBytes,
    ({ indexedFiles }) => stateBytes + indexedFiles.length * idBytes,
  )

  const read = async (agentId: number, version: number): Promise<AgentState> => {
    const rows = await db
      .select({
        id: knowledgeFiles.id,
        indexed: sql<boolean>`${knowledgeFiles.indexState} = 'done' and ${knowledgeFiles.embedderId} = ${indexId}`,
        passages: sql<number>`count(*)::int`,
        words: sql<number>`sum(${knowledgeChunks.length})::int`,
      })
      .from(knowledgeChunks)
      .innerJoin(knowledgeFiles, eq(knowledgeFiles.id, knowledgeChunks.fileId))
      .where(eq(knowledgeChunks.agentId, agentId))
      .groupBy(knowledgeFiles.id)
    const passages = rows.reduce((sum, row) => sum + row.passages, 0)
    const words = rows.reduce((sum, row) => sum + row.words, 0)
    return {
      version,
      passages,
      averageLength: words / Math.max(1, passages) || 1,
      indexedFiles: rows.filter(({ indexed }) => indexed).map(({ id }) => id),
    }
  }

  return async (agentId: number): Promise<AgentState> => {
    const [row] = await findVersion(readsOf(db), { agentId })
    const version = row?.version ?? 0
    const last = known.get(agentId)
    if (last?.version === version) return last
    const state = await read(agentId, version)
    known.set(agentId, state)
    return state
  }
}
