import { cosine } from './embedder.ts'

/** An agent's vectors as they stood at one version of its passages. */
export interface AgentVectors {
  version: number
  ids: number[]
  vectors: Float32Array[]
}

/** About 100 MB of 512 dimensions. */
const mostVectors = 50_000

/** Vectors of the agents searched last, so that a search reads none from the database. */
export function createVectorCache() {
  const agents = new Map<number, AgentVectors>()
  let held = 0

  const forget = (agentId: number) => {
    held -= agents.get(agentId)?.ids.length ?? 0
    agents.delete(agentId)
  }

  return {
    get(agentId: number, version: number): AgentVectors | undefined {
      const known = agents.get(agentId)
      if (known?.version !== version) return undefined
      agents.delete(agentId)
      agents.set(agentId, known)
      return known
    },
    set(agentId: number, vectors: AgentVectors): void {
      forget(agentId)
      agents.set(agentId, vectors)
      held += vectors.ids.length
      for (const oldest of agents.keys()) {
        if (held <= mostVectors || oldest === agentId) break
        forget(oldest)
      }
    },
  }
}

/** The ids of the vectors nearest to `query`, best first. All are unit vectors of one embedder. */
export function nearest({ ids, vectors }: AgentVectors, query: Float32Array, limit: number): number[] {
  return vectors
    .map((vector, index) => ({ id: ids[index] ?? 0, nearness: cosine(query, vector) }))
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, limit)
    .map(({ id }) => id)
}
