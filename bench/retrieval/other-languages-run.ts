import type { Database } from '../../src/db/client.ts'
import type { Indexer } from '../../src/resources/files/indexer.ts'
import type { Search } from '../../src/resources/files/search.ts'
import { storeCorpus } from './corpus.ts'
import { type Quality, qualityOf } from './figures.ts'
import { otherLanguages } from './other-languages.ts'
import { placeOf } from './place.ts'
import { secondOtherLanguages } from './second-other-languages.ts'

const titles = { de: 'German', es: 'Spanish', fr: 'French' } as const
const ways = ['paraphrase', 'direct', 'english'] as const

interface Parts {
  db: Database
  search: Search
  indexer: Indexer
  resellerId: number
  /** The first of six tenants that hold the passages. */
  tenant: number
  cell: (quality: Quality) => string
  row: (cells: readonly string[]) => string
}

/** Asks about German, Spanish and French passages, in their language and in English, and answers a table. */
export async function otherLanguageQuality(parts: Parts): Promise<string> {
  const { db, search, indexer, resellerId, tenant, cell, row } = parts
  const lines = [row(['held out', 'in other words', "in the passage's words", 'asked in English'])]
  lines.push(row(['---', '---', '---', '---']))
  let next = tenant
  for (const [name, all] of Object.entries({ first: otherLanguages, second: secondOtherLanguages })) {
    for (const [language, title] of Object.entries(titles)) {
      const set = all.filter((each) => each.language === language)
      const texts = set.map(({ passage }) => passage)
      const corpus = await storeCorpus(db, { resellerId, tenant: next++, texts })
      await indexer.index({ id: corpus.fileId })
      const cells: string[] = []
      for (const way of ways) {
        const places: (number | undefined)[] = []
        for (const asked of set)
          places.push(await placeOf(search, corpus, { query: asked[way], passage: asked.passage }))
        cells.push(cell(qualityOf(places)))
      }
      lines.push(row([`${title}, ${name} set (${set.length})`, ...cells]))
    }
  }
  return lines.join('\n')
}
