import { tmpdir } from 'node:os'
import pino from 'pino'
import { openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { embeddedEmbedder } from '../../src/knowledge/embedded-embedder.ts'
import { shareEmbedder } from '../../src/knowledge/shared-embedder.ts'
import { askedWords } from '../../src/knowledge/words.ts'
import { createAgentStates } from '../../src/resources/files/agent-state.ts'
import { createMeaningRanking } from '../../src/resources/files/by-meaning.ts'
import { createWordRanking } from '../../src/resources/files/by-words.ts'
import { createIndexer, indexIdOf } from '../../src/resources/files/indexer.ts'
import { createSearch } from '../../src/resources/files/search.ts'
import { knowledgeChunks } from '../../src/resources/files/table.ts'
import { resellers } from '../../src/resources/resellers/table.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { atTheEnd } from '../cleanups.ts'
import { one } from '../seed.ts'
import { conversationQuality } from './conversations.ts'
import { storeCorpus } from './corpus.ts'
import { distractors } from './distractors.ts'
import { documentQuality } from './documents-run.ts'
import { type Quality, qualityOf } from './figures.ts'
import { heldOut } from './held-out.ts'
import { heldOutQuality } from './held-out-run.ts'
import { otherLanguageQuality } from './other-languages-run.ts'
import { passages } from './passages.ts'
import { deepest } from './place.ts'
import { type Kind, kinds, questions } from './questions.ts'
import { responseQuality } from './responses-run.ts'

/** As a search has them. */
const candidates = 100

const percent = (share: number) => `${Math.round(share * 100)} %`
const cell = ({ hit1, hit5, mrr }: Quality) => `${percent(hit1)} · **${percent(hit5)}** · ${mrr.toFixed(2)}`
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Puts the questions to the search in every way, and answers a Markdown table of how well each found the passages. */
export async function retrievalQuality(say: (text: string) => void): Promise<string> {
  const database = await openDatabase()
  const embedder = shareEmbedder(embeddedEmbedder())
  atTheEnd(async () => {
    embedder.close()
    await database.close()
  })
  const { db } = database
  await migrate(database)
  const { id: resellerId } = await one(
    db.insert(resellers).values({ name: 'Reseller' }).returning({ id: resellers.id }),
  )
  const texts = [...Object.values(passages), ...heldOut.map(({ passage }) => passage), ...distractors]
  const corpus = await storeCorpus(db, { resellerId, tenant: 1, texts })
  const log = pino({ level: 'silent' })
  const { agentId, fileId, workspaceId } = corpus
  const indexer = createIndexer({ db, clock: systemClock, embedder, files: folderFiles(tmpdir()), log })
  await indexer.index({ id: fileId })

  const rows = await db.select({ id: knowledgeChunks.id, text: knowledgeChunks.text }).from(knowledgeChunks)
  const textOf = new Map(rows.map(({ id, text }) => [id, text]))
  const textsOf = (hits: readonly { id: number }[]) => hits.slice(0, deepest).map(({ id }) => textOf.get(id))
  const indexId = indexIdOf(embedder.id)
  const stateOf = createAgentStates(db, indexId)
  const byWords = createWordRanking(db, candidates)
  const byMeaning = createMeaningRanking(db, indexId, candidates)
  const search = createSearch({ db, embedder, log })
  const ways: Record<string, (question: string) => Promise<(string | undefined)[]>> = {
    'words alone': async (question) => {
      const asked = { words: askedWords(question), context: [] }
      return textsOf((await byWords(agentId, await stateOf(agentId), asked)).hits)
    },
    'meaning alone': async (question) => {
      const queries = await embedder.embed([question], { workspaceId, kind: 'question' })
      return textsOf((await byMeaning(await stateOf(agentId), queries)).hits)
    },
    fused: async (query) => (await search({ agentId, workspaceId, query, limit: deepest })).map(({ text }) => text),
  }
  const lines = [row(['', ...kinds.map((kind) => `${kind} (${questions[kind].length})`), 'all'])]
  lines.push(row(['', ...kinds, 'all'].map(() => '---')))
  for (const [name, find] of Object.entries(ways)) {
    const places = new Map<Kind, (number | undefined)[]>()
    for (const kind of kinds) {
      const found: (number | undefined)[] = []
      for (const [question, answer] of questions[kind]) {
        const place = (await find(question)).indexOf(passages[answer])
        found.push(place < 0 ? undefined : place + 1)
        if (place < 0 || place >= 5) say(`Not among the first five, ${name}: ${question}`)
      }
      places.set(kind, found)
    }
    const cells = kinds.map((kind) => cell(qualityOf(places.get(kind) ?? [])))
    lines.push(row([name, ...cells, cell(qualityOf([...places.values()].flat()))]))
  }
  const count = Object.keys(passages).length
  lines.push(
    '',
    `Cells: hit@1 · hit@5 · mean reciprocal rank, of ${count} passages among ${distractors.length + heldOut.length} others.`,
  )
  lines.push('', await heldOutQuality({ db, search, indexer, resellerId, corpus, cell, row }))
  lines.push('', await conversationQuality({ search, corpus }, { cell, row }))
  lines.push('', await documentQuality({ db, search, indexer, corpus, cell, row, say }))
  lines.push('', await responseQuality({ db, search, indexer, embedder, resellerId, tenant: 8, row }))
  lines.push('', await otherLanguageQuality({ db, search, indexer, resellerId, tenant: 20, cell, row }))
  return lines.join('\n')
}
