import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { AskedWord } from '../../knowledge/words.ts'
import type { AgentState } from './agent-state.ts'
import { knowledgeChunks } from './table.ts'

/** The term of an agent's passage as it is stored: words of different agents never share a list of the index. */
export const storedTerm = (agentId: number, term: string): string => `${agentId}:${term}`

/** What is asked: the words of the question itself, then those of what was said before it, which count less. */
export interface WordQuestion {
  words: readonly AskedWord[]
  context: readonly AskedWord[]
}

/** Passages by their words. */
export interface WordRanking {
  /** Best first, scores relative to the best one's; `covered` as `coverage`, of the passage itself. */
  hits: { id: number; score: number; covered: number }[]
  /** How much of the question's words, rare ones counting more, its best passage has (0..1). */
  coverage: number
}

/** A word in more passages than this says little; no more of them are looked at. */
const maxPassagesPerWord = 5_000
const contextWeight = 0.35
/** The usual constants of BM25: how soon a repeated word counts no more, and how much a long passage is held back. */
const k1 = 1.2
const b = 0.75

const none: WordRanking = { hits: [], coverage: 0 }

/**
 * Ranks an agent's passages by the words that they have (BM25): any of the words, because a question seldom has all the
 * words of its response, rare ones counting more, and short passages more than long ones.
 */
export const createWordRanking =
  (db: Database, limit: number) =>
  async (
    agentId: number,
    { passages, averageLength }: AgentState,
    { words, context }: WordQuestion,
  ): Promise<WordRanking> => {
    const wanted = [
      ...words.map((word) => ({ ...word, own: true })),
      ...context.map((word) => ({ ...word, weight: word.weight * contextWeight, own: false })),
    ]
    if (wanted.length === 0 || passages === 0) return none
    const weights = JSON.stringify(wanted.map(({ weight, own }, word) => ({ word, weight, own })))
    const terms = JSON.stringify(
      wanted.flatMap((asked, word) =>
        [...asked.terms].map(([term, part]) => ({ word, part, term: storedTerm(agentId, term) })),
      ),
    )
    const rows = await db.execute<{ id: number; score: number; covered: number; total: number }>(sql`
      with asked as (select * from jsonb_to_recordset(${terms}::jsonb) as t(word int, part float8, term text)),
        wanted as (select * from jsonb_to_recordset(${weights}::jsonb) as t(word int, weight float8, own boolean)),
        hits as materialized (
          select asked.word, asked.part, found.id, found.length from asked cross join lateral (
            select id, length from ${knowledgeChunks} where terms @> array[asked.term] limit ${maxPassagesPerWord}
          ) found),
        best as materialized (
          select id, word, max(part) as part, min(length) as length from hits group by id, word),
        rarity as materialized (
          select word, own, weight * ln(1 + greatest(0, ${passages}::float8 - df + 0.5) / (df + 0.5)) as weight
          from wanted left join lateral (
            select coalesce(sum(part), 0) as df from best where best.word = wanted.word) counted on true),
        scored as (
          select id,
            sum(weight * part) filter (where own) as covered,
            sum(weight * part * ${k1 + 1}::float8
              / (1 + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * length / ${averageLength}::float8))) as score
          from best inner join rarity using (word) group by id)
      select id, score::float8, coalesce(covered, 0)::float8 as covered,
        (select coalesce(sum(weight) filter (where own), 0) from rarity)::float8 as total
      from scored order by score desc, id limit ${limit}`)
    const top = rows[0]?.score ?? 0
    const best = Math.max(0, ...rows.slice(0, 5).map((row) => row.covered))
    const total = rows[0]?.total ?? 0
    return {
      hits: rows.map(({ id, score, covered }) => ({
        id,
        score: top > 0 ? score / top : 0,
        covered: total > 0 ? covered / total : 0,
      })),
      coverage: total > 0 ? best / total : 0,
    }
  }
