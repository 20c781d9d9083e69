import pino from 'pino'
import type { Database } from '../../src/db/client.ts'
import type { SharedEmbedder } from '../../src/knowledge/embedder.ts'
import { extractPassages } from '../../src/knowledge/passages/extract.ts'
import { extractResponse } from '../../src/language-model/local/answer.ts'
import { meaningRanker } from '../../src/language-model/local/meaning-ranker.ts'
import { phrasesIn } from '../../src/language-model/local/phrases.ts'
import type { Indexer } from '../../src/resources/files/indexer.ts'
import { passagesPerTurn, type Search } from '../../src/resources/files/search.ts'
import { answeredFiles } from './answered-files.ts'
import { type Corpus, storeCorpus } from './corpus.ts'
import { thirdHeldOut } from './third-held-out.ts'

interface Parts {
  db: Database
  search: Search
  indexer: Indexer
  embedder: SharedEmbedder
  resellerId: number
  /** Numbers of tenants from here on are free. */
  tenant: number
  row: (cells: readonly string[]) => string
}

/** A question to an agent; `isAnswer` judges what is quoted, and is absent where its files have no answer. */
interface Asked {
  corpus: Corpus
  question: string
  isAnswer?: (response: string) => boolean
}

const languages = ['en', 'de', 'es', 'fr'] as const
const outcomes = ['right', 'right, in doubt', 'wrong', 'wrong, in doubt', 'does not know'] as const
type Outcome = (typeof outcomes)[number]

/** What a response is, as a reader would take it. */
function outcomeOf(response: string, isAnswer: Asked['isAnswer']): Outcome {
  const phrases = languages.map(phrasesIn)
  if (phrases.some(({ unknown }) => response === unknown)) return 'does not know'
  const doubt = phrases.find(({ closest }) => response.startsWith(closest))?.closest ?? ''
  const isRight = isAnswer?.(response.slice(doubt.length).trim()) ?? false
  if (doubt === '') return isRight ? 'right' : 'wrong'
  return isRight ? 'right, in doubt' : 'wrong, in doubt'
}

/** Whether a response quotes a sentence of a passage. */
const quotes = (passage: string) => (response: string) =>
  response
    .replace(/ \[[^\]]*\]$/, '')
    .split(/(?<=[.!?;])\s/)
    .some((sentence) => passage.includes(sentence))

const everyOther = <Item>(list: readonly Item[], first: 0 | 1) => list.filter((_, at) => at % 2 === first)

/**
 * Asks the built-in model, and answers a table of what it says: of files in four languages, and of the third held-out
 * set, every question once where its passage is and once among the other half of the passages, where nothing answers
 * it.
 */
export async function responseQuality({
  db,
  search,
  indexer,
  embedder,
  resellerId,
  tenant,
  row,
}: Parts): Promise<string> {
  let next = tenant
  const indexed = async (texts: readonly string[]) => {
    const corpus = await storeCorpus(db, { resellerId, tenant: next++, texts })
    await indexer.index({ id: corpus.fileId })
    return corpus
  }
  const ranker = meaningRanker(embedder, pino({ level: 'silent' }))
  const respond = async ({ agentId, workspaceId }: Corpus, question: string) => {
    const passages = await search({ agentId, workspaceId, query: question, limit: passagesPerTurn })
    const own = { description: null, instructions: null, memory: null, preamble: [], workspaceId }
    const sources = { ...own, agentName: 'Guide', passages }
    return extractResponse(sources, { question, earlier: [], toolResults: [] }, ranker)
  }
  const groups = new Map<string, Asked[]>()
  const add = (group: string, asked: Asked) => groups.set(group, [...(groups.get(group) ?? []), asked])
  for (const { text, answered, unanswered } of answeredFiles) {
    const passages = await extractPassages({ name: 'file.md', bytes: new TextEncoder().encode(text) })
    const corpus = await indexed(passages.map((passage) => passage.text))
    for (const [question, expected] of answered) {
      const isAnswer = (response: string) => response.toLowerCase().includes(expected.toLowerCase())
      add('four languages', { corpus, question, isAnswer })
    }
    for (const question of unanswered) add('four languages, no answer', { corpus, question })
  }
  const halves = [everyOther(thirdHeldOut, 0), everyOther(thirdHeldOut, 1)]
  const corpora = await Promise.all(halves.map((half) => indexed(half.map(({ passage }) => passage))))
  for (const [half, asked] of halves.entries()) {
    const [own, other] = [corpora[half], corpora[1 - half]]
    if (!own || !other) continue
    for (const { passage, paraphrase, direct } of asked) {
      for (const question of [paraphrase, direct]) {
        add('third held-out set', { corpus: own, question, isAnswer: quotes(passage) })
        add('third held-out set, no answer', { corpus: other, question })
      }
    }
  }
  const lines = [row(['built-in model', ...outcomes]), row(['---', ...outcomes.map(() => '---')])]
  for (const [name, asked] of groups) {
    const counts = new Map<Outcome, number>()
    for (const { corpus, question, isAnswer } of asked) {
      const outcome = outcomeOf(await respond(corpus, question), isAnswer)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
    lines.push(row([`${name} (${asked.length})`, ...outcomes.map((outcome) => String(counts.get(outcome) ?? 0))]))
  }
  return lines.join('\n')
}
