import { pino } from 'pino'
import { distractors } from '../../bench/retrieval/distractors.ts'
import { heldOut } from '../../bench/retrieval/held-out.ts'
import { questions } from '../../bench/retrieval/questions.ts'
import { secondHeldOut } from '../../bench/retrieval/second-held-out.ts'
import type { Database } from '../../src/db/client.ts'
import { embeddedEmbedder } from '../../src/knowledge/embedded-embedder.ts'
import { unit } from '../../src/knowledge/embedder.ts'
import { passagesVersion } from '../../src/knowledge/passages/split.ts'
import { shareEmbedder } from '../../src/knowledge/shared-embedder.ts'
import { packVector } from '../../src/knowledge/vectors.ts'
import { indexedWords } from '../../src/knowledge/words.ts'
import { storedTerm } from '../../src/resources/files/by-words.ts'
import { indexIdOf, moveVersion } from '../../src/resources/files/indexer.ts'
import { createSearch } from '../../src/resources/files/search.ts'
import { knowledgeChunks, knowledgeFiles } from '../../src/resources/files/table.ts'
import { markdown } from '../table.ts'

const perFile = 1_000
const insertSize = 500
const dimensions = 384
const together = 8
/** Searches before the measured ones: the model is loaded, the vectors too, and statements are planned. */
const first = 20

interface Owned {
  agentId: number
  workspaceId: number
}

/** A text of its own for each passage: sentences in which a word is as frequent as in forms and lists. */
function textOf(at: number): string {
  const answers = [...heldOut, ...secondHeldOut]
  const sentence = distractors[at % distractors.length] ?? ''
  return at < answers.length ? (answers[at]?.passage ?? '') : `${sentence} Sheet ${at}, as of week ${(at % 52) + 1}.`
}

/** Fills an agent: what a vector says does not matter for what it costs. */
async function fill(
  db: Database,
  { agentId, workspaceId }: Owned,
  passages: number,
  embedderId: string,
): Promise<void> {
  for (let start = 0; start < passages; start += perFile) {
    const [file] = await db
      .insert(knowledgeFiles)
      .values({
        ...{ agentId, originalName: `sheets-${start}.txt`, mime: 'text/plain', size: 1, storageKey: `scale/${start}` },
        ...{
          extractable: true,
          extracted: true,
          indexState: 'done',
          embedderId,
          passagesVersion,
          createdAt: new Date(),
        },
      })
      .returning({ id: knowledgeFiles.id })
    if (!file) throw new Error('no file')
    for (let slice = start; slice < start + perFile; slice += insertSize) {
      await db.insert(knowledgeChunks).values(
        Array.from({ length: insertSize }, (_, index) => {
          const text = textOf(slice + index)
          const { terms, length } = indexedWords(text, 'en')
          return {
            ...{ fileId: file.id, agentId, position: slice + index - start, heading: null, text, length, embedderId },
            terms: terms.map((term) => storedTerm(agentId, term)),
            vector: packVector(unit(Array.from({ length: dimensions }, () => Math.random() - 0.5))),
          }
        }),
      )
    }
  }
  await moveVersion(db, { agentId, workspaceId })
}

const asked = [
  ...Object.values(questions).flatMap((kind) => kind.map(([question]) => question)),
  ...[...heldOut, ...secondHeldOut].flatMap(({ paraphrase, direct }) => [paraphrase, direct]),
]

const share = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Measures searches as users have them, question to passages with the embedder of the server: one after the other, and
 * some at once. Answers a table of what they take by the clock, and of this process's processor time and memory.
 */
export async function wholeSearches(
  { db, of, thousands }: { db: Database; of: Owned; thousands: number },
  say: (text: string) => void,
): Promise<string> {
  const embedder = shareEmbedder(embeddedEmbedder())
  try {
    say(`Filling: ${thousands} thousand passages with words of their own`)
    await fill(db, of, thousands * 1000, indexIdOf(embedder.id))
    await db.execute('vacuum analyze knowledge_chunks')
    const search = createSearch({ db, embedder, log: pino({ level: 'silent' }) })
    const timed = async (query: string) => {
      const started = performance.now()
      await search({ ...of, query, limit: 6 })
      return performance.now() - started
    }
    Bun.gc(true)
    const before = process.memoryUsage().rss
    for (const query of asked.slice(-first)) await timed(query)
    const rows: string[][] = []
    const row = (name: string, times: readonly number[], processor: number) => {
      Bun.gc(true)
      const memory = Math.max(0, process.memoryUsage().rss - before) / 1_000_000
      const cells = [share(times, 0.5), share(times, 0.95), share(times, 1), processor / times.length, memory]
      rows.push([name, ...cells.map((cell) => cell.toFixed(0))])
    }
    say(`Measuring: ${asked.length} questions, one after the other`)
    let processor = processorMs()
    const alone: number[] = []
    for (const query of asked) alone.push(await timed(query))
    row('one after the other', alone, processorMs() - processor)
    say(`Measuring: ${together} at once`)
    processor = processorMs()
    const crowd: number[] = []
    for (let start = 0; start < asked.length; start += together) {
      crowd.push(...(await Promise.all(asked.slice(start, start + together).map(timed))))
    }
    row(`${together} at once`, crowd, processorMs() - processor)
    const head = ['Searches', 'half, ms', '95 of 100, ms', 'longest, ms', 'processor time each, ms', 'more memory, MB']
    return `## Whole searches among ${thousands},000 passages of one agent\n\n${markdown(head, rows)}`
  } finally {
    embedder.close()
  }
}
