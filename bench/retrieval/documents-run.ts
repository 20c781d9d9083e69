import type { Database } from '../../src/db/client.ts'
import { extractPassages } from '../../src/knowledge/passages/extract.ts'
import { passagesVersion } from '../../src/knowledge/passages/split.ts'
import type { Indexer } from '../../src/resources/files/indexer.ts'
import { storePassages } from '../../src/resources/files/passages.ts'
import type { Search } from '../../src/resources/files/search.ts'
import { knowledgeFiles } from '../../src/resources/files/table.ts'
import { one } from '../seed.ts'
import type { Corpus } from './corpus.ts'
import { documents } from './documents.ts'
import { type Quality, qualityOf } from './figures.ts'

const deepest = 10

interface Parts {
  db: Database
  search: Search
  indexer: Indexer
  corpus: Corpus
  cell: (quality: Quality) => string
  row: (cells: readonly string[]) => string
  say: (text: string) => void
}

/** Adds whole documents to the corpus, as uploads are split, and answers a table of how well each kind is found. */
export async function documentQuality({ db, search, indexer, corpus, cell, row, say }: Parts): Promise<string> {
  const { agentId, workspaceId } = corpus
  for (const { name, text } of documents) {
    const common = { agentId, originalName: name, mime: 'text/plain', size: text.length, storageKey: `bench/${name}` }
    const state = { extractable: true, extracted: true, indexState: 'pending' as const, passagesVersion }
    const file = await one(
      db
        .insert(knowledgeFiles)
        .values({ ...common, ...state, createdAt: new Date() })
        .returning(),
    )
    const passages = await extractPassages({ name, bytes: new TextEncoder().encode(text) })
    await db.transaction((tx) => storePassages(tx, file, passages))
    await indexer.index({ id: file.id })
  }
  const places = new Map<string, (number | undefined)[]>()
  const placeOf = async (query: string, answer: string, context?: string) => {
    const found = await search({ agentId, workspaceId, query, context, limit: deepest })
    const place = found.findIndex(({ text }) => text.includes(answer))
    if (place < 0 || place >= 5) say(`Not among the first five: ${context ?? ''} ${query}`)
    return place < 0 ? undefined : place + 1
  }
  for (const { kind, asked } of documents) {
    for (const { question, answer, before } of asked) {
      const group = before === undefined ? kind : 'follow-ups'
      places.set(group, [...(places.get(group) ?? []), await placeOf(question, answer, before)])
    }
  }
  const all = [...places.values()].flat()
  return [
    row(['whole documents, fused', 'questions', 'found']),
    row(['---', '---', '---']),
    ...[...places].map(([kind, found]) => row([kind, String(found.length), cell(qualityOf(found))])),
    row(['all', String(all.length), cell(qualityOf(all))]),
  ].join('\n')
}
