import { and, eq, inArray } from 'drizzle-orm'
import type { Logger } from 'pino'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database } from '../../db/client.ts'
import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import { nearestHeading } from '../../knowledge/passages/passage.ts'
import { askedWords } from '../../knowledge/words.ts'
import type { Knowledge } from '../../language-model/knowledge.ts'
import { type AgentState, createAgentStates } from './agent-state.ts'
import { createMeaningRanking, type MeaningRanking } from './by-meaning.ts'
import { createWordRanking } from './by-words.ts'
import { fuse } from './fusion.ts'
import { indexIdOf } from './indexer.ts'
import { knowledgeChunks, knowledgeFiles } from './table.ts'

/** A passage that a search found. */
export interface Found {
  fileId: number
  file: string
  /** The headings that it stands under. */
  heading: string | null
  text: string
  /** 0..1: 1 has all words of the question and its meaning. */
  score: number
}

/** A search of an agent's passages. */
export interface SearchRequest {
  agentId: number
  /** Whose share of the embedder it takes. */
  workspaceId: number
  query: string
  /** What was said before the question, which may name what it is about. */
  context?: string
  limit: number
  /** It is part of a turn. */
  isOfTurn?: boolean
  signal?: AbortSignal
  /** Of the agent, where it was read just now. */
  state?: AgentState
}

/** How many candidates each way of searching brings. */
const candidates = 100
const maxQuestionLength = 2000
const maxContextLength = 500
/** How much nearness counts that needs what was said before: the question may be about something new. */
const contextShare = 0.8

type Ranked = ReturnType<typeof fuse>[number]

interface SearchOptions {
  db: Database
  embedder: SharedEmbedder
  log: Logger
}

/** Searches an agent's passages by words and by meaning, their scores fused. */
export function createSearch({ db, embedder, log }: SearchOptions) {
  const indexId = indexIdOf(embedder.id)
  const stateOf = createAgentStates(db, indexId)
  const byWords = createWordRanking(db, candidates)
  const byMeaning = createMeaningRanking(db, indexId, candidates)

  const meaningOf = async (
    state: AgentState,
    texts: string[],
    { workspaceId, signal, isOfTurn }: SearchRequest,
  ): Promise<MeaningRanking | undefined> => {
    if (state.indexedFiles.length === 0) return undefined
    try {
      const [own, ...inContext] = await embedder.embed(texts, { workspaceId, kind: 'question', isOfTurn, signal })
      const queries = inContext.map((query) => query.map((value) => value * contextShare))
      return await byMeaning(state, own ? [own, ...queries] : queries)
    } catch (error) {
      signal?.throwIfAborted()
      // Who cannot pay for it searches by words.
      if (error instanceof ApiError) return undefined
      log.warn({ event: 'meaning_search_failed', err: error }, 'searching by meaning failed')
      return undefined
    }
  }

  const read = async (agentId: number, ranked: readonly Ranked[]): Promise<Found[]> => {
    const rows = await db
      .select({
        id: knowledgeChunks.id,
        fileId: knowledgeChunks.fileId,
        file: knowledgeFiles.originalName,
        heading: knowledgeChunks.heading,
        text: knowledgeChunks.text,
      })
      .from(knowledgeChunks)
      .innerJoin(knowledgeFiles, eq(knowledgeFiles.id, knowledgeChunks.fileId))
      .where(
        and(
          eq(knowledgeChunks.agentId, agentId),
          inArray(
            knowledgeChunks.id,
            ranked.map(({ id }) => id),
          ),
        ),
      )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ranked.flatMap(({ id, score }) => {
      const { id: _id, ...row } = byId.get(id) ?? { id: undefined }
      return 'fileId' in row ? [{ ...row, score: Math.round(score * 10_000) / 10_000 }] : []
    })
  }

  /** The best ones that say something different: of those with the same text under the same headings the best alone. */
  const bestOf = async (agentId: number, ranked: readonly Ranked[], limit: number): Promise<Found[]> => {
    const found = new Map<string, Found>()
    // Few files have copies: more is read only where these are so many that others were left out for them.
    let size = limit
    for (let from = 0; from < ranked.length && found.size < limit; from += size, size *= 2) {
      for (const passage of await read(agentId, ranked.slice(from, from + size))) {
        const said = JSON.stringify([passage.heading, passage.text])
        if (!found.has(said)) found.set(said, passage)
      }
    }
    return [...found.values()].slice(0, limit)
  }

  const search = async (request: SearchRequest): Promise<Found[]> => {
    const { agentId, limit } = request
    const question = request.query.slice(0, maxQuestionLength).toWellFormed()
    const context = request.context?.slice(-maxContextLength).toWellFormed().trim() ?? ''
    const state = request.state ?? (await stateOf(agentId))
    if (state.passages === 0) return []
    const words = askedWords(question)
    const asked = new Set(words.flatMap(({ terms }) => [...terms.keys()]))
    const around = askedWords(context).filter(({ terms }) => ![...terms.keys()].some((term) => asked.has(term)))
    const texts = context === '' ? [question] : [question, `${context}\n${question}`]
    // "And what does it cost?" names nothing: it is about what was said before.
    const wanted = words.length === 0 ? { words: around, context: [] } : { words, context: around }
    const [ranking, meaning] = await Promise.all([byWords(agentId, state, wanted), meaningOf(state, texts, request)])
    return bestOf(agentId, fuse(ranking, meaning, embedder.related), limit)
  }
  return Object.assign(search, { stateOf })
}

export type Search = ReturnType<typeof createSearch>

/** How many passages a turn is offered. */
export const passagesPerTurn = 6

/** The same search as turns use it. */
export const knowledgeOf = (search: Search): Knowledge => ({
  async search({ id: agentId, workspaceId }, question, signal) {
    const state = await search.stateOf(agentId)
    const { query, context } = await question
    const limit = passagesPerTurn
    const found = await search({ agentId, workspaceId, query, context, limit, isOfTurn: true, signal, state })
    return found.map(({ file, heading, text, score }) => ({ file, heading: nearestHeading(heading), text, score }))
  },
})
