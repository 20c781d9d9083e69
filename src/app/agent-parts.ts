import { createQueue, createSlots } from '../api/rate-limit/slots.ts'
import { embeddedEmbedder } from '../knowledge/embedded-embedder.ts'
import { shareEmbedder } from '../knowledge/shared-embedder.ts'
import { meaningRanker } from '../language-model/local/meaning-ranker.ts'
import { localModel } from '../language-model/local/model.ts'
import { createModels } from '../language-model/models.ts'
import { defaultTurnSettings, defaultTurnsAtOnce } from '../language-model/settings.ts'
import { createMcpServers } from '../mcp/servers.ts'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { paidEmbedder } from '../resources/billing/paid-embedder.ts'
import { connectorToolbox } from '../resources/connectors/toolbox.ts'
import { createIndexer } from '../resources/files/indexer.ts'
import { createSearch, knowledgeOf } from '../resources/files/search.ts'
import { createMemoryKeeper } from '../resources/memory/keeper.ts'
import { createSummaryKeeper } from '../resources/summaries/keeper.ts'
import { systemTimers } from '../runtime/timers.ts'
import { maxConcurrent } from './concurrency.ts'
import type { Externals } from './externals.ts'

const searchesAtOnce = 16

/** Puts together what turns of agents need: language models, their files, tools, memory and summaries. */
export function createAgentParts(externals: Externals, outgoing: GuardedFetch) {
  const { database, clock, log, vault, files, timers = systemTimers } = externals
  const { db } = database
  const own = externals.embedder ?? embeddedEmbedder()
  const embedder = paidEmbedder(db, shareEmbedder(own), own.model)
  const languageModels = createModels(localModel(meaningRanker(embedder, log)), externals.models)
  const turns = { ...defaultTurnSettings, ...externals.turns }
  const turnSlots = externals.turnSlots ?? createSlots({ total: defaultTurnsAtOnce })
  const search = createSearch({ db, embedder, log })
  const toolServerSlots = createQueue({ total: maxConcurrent.toolServers })
  const mcpServers = createMcpServers({ outgoing, clock, log, slots: toolServerSlots })
  const background = { db, clock, log, slots: turnSlots, times: turns.times }
  return {
    embedder,
    languageModels,
    turns,
    turnSlots,
    search,
    searchSlots: externals.searchSlots ?? createSlots({ total: searchesAtOnce }),
    knowledge: externals.knowledge ?? knowledgeOf(search),
    indexer: createIndexer({ db, clock, embedder, files, log }),
    mcpServers,
    toolbox: externals.toolbox ?? connectorToolbox({ db, vault, log, mcpServers }),
    memory: createMemoryKeeper({
      ...background,
      models: languageModels,
      timers,
      bounds: turns,
      enabled: externals.remember ?? true,
    }),
    summaries: createSummaryKeeper({ ...background, bounds: turns, enabled: externals.summarise ?? true }),
  }
}
