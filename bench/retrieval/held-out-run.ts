import type { Database } from '../../src/db/client.ts'
import type { Indexer } from '../../src/resources/files/indexer.ts'
import type { Search } from '../../src/resources/files/search.ts'
import { type Corpus, storeCorpus } from './corpus.ts'
import { distractors } from './distractors.ts'
import { type Quality, qualityOf } from './figures.ts'
import { besideFourth, fourthHeldOut } from './fourth-held-out.ts'
import { type HeldOut, heldOut } from './held-out.ts'
import { placeOf } from './place.ts'
import { secondHeldOut } from './second-held-out.ts'
import { thirdHeldOut } from './third-held-out.ts'

interface Parts {
  db: Database
  search: Search
  indexer: Indexer
  resellerId: number
  /** Holds the first set beside all that was written with the search in mind. */
  corpus: Corpus
  cell: (quality: Quality) => string
  row: (cells: readonly string[]) => string
}

/**
 * Asks what nobody had in mind when the search was changed, and answers a table of how well it is found: the first set
 * beside everything else, the others in files of their own, once among passages that resemble each other, once alone.
 */
export async function heldOutQuality({ db, search, indexer, resellerId, corpus, cell, row }: Parts): Promise<string> {
  const passagesOf = (set: readonly HeldOut[]) => set.map(({ passage }) => passage)
  const own = passagesOf(secondHeldOut)
  const rows = [...passagesOf(fourthHeldOut), ...besideFourth]
  const indexed = async (tenant: number, texts: readonly string[]) => {
    const stored = await storeCorpus(db, { resellerId, tenant, texts })
    await indexer.index({ id: stored.fileId })
    return stored
  }
  const sets: [string, readonly HeldOut[], Corpus][] = [
    ['first set', heldOut, corpus],
    ['second set, among passages that resemble each other', secondHeldOut, await indexed(2, [...own, ...distractors])],
    ['second set, alone', secondHeldOut, await indexed(3, own)],
    ['third set, among them', thirdHeldOut, await indexed(4, [...passagesOf(thirdHeldOut), ...distractors])],
    ['third set, alone', thirdHeldOut, await indexed(5, passagesOf(thirdHeldOut))],
    ['fourth set, among all', fourthHeldOut, await indexed(6, [...rows, ...distractors])],
    ['fourth set, among rows like some of its own', fourthHeldOut, await indexed(7, rows)],
  ]
  const lines = [row(['held out', 'in other words', "in the passage's words"]), row(['---', '---', '---'])]
  for (const [name, asked, held] of sets) {
    const places = { paraphrase: [] as (number | undefined)[], direct: [] as (number | undefined)[] }
    for (const { passage, paraphrase, direct } of asked) {
      places.paraphrase.push(await placeOf(search, held, { query: paraphrase, passage }))
      places.direct.push(await placeOf(search, held, { query: direct, passage }))
    }
    lines.push(row([`${name} (${asked.length})`, cell(qualityOf(places.paraphrase)), cell(qualityOf(places.direct))]))
  }
  return lines.join('\n')
}
