import { join } from 'node:path'
import { clientOf } from '../client.ts'
import { startMain } from '../start.ts'
import { handbook } from './text.ts'

/** As much of a file as is read. */
const fullSize = 200_000
const idleMs = 3_000
const pauseMs = 5
const maxMs = 300_000

interface Entry {
  id: number
  indexed: boolean
  vector_count: number
}

/** Time that a share of the calls took at most, in milliseconds. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

function described(taken: readonly number[]): string {
  const sorted = [...taken].sort((a, b) => a - b)
  const [p50, p99, most] = [percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1) ?? 0]
  return `p50 ${p50.toFixed(1)} ms, p99 **${p99.toFixed(1)} ms**, longest ${most.toFixed(1)} ms (${sorted.length} calls)`
}

/** Calls an embedded server as an owner of files does. */
function caller(url: string, key: string) {
  const { call, post } = clientOf(url, key)
  return {
    list: () => call('/agents'),
    async newAgent(): Promise<string> {
      return ((await post('/agents', { name: 'Guide' })) as { data: { id: string } }).data.id
    },
    async upload(agent: string, text: string): Promise<Entry> {
      const body = new FormData()
      body.set('file', new File([text], 'handbook.txt'))
      return ((await call(`/agents/${agent}/files`, { method: 'POST', body })) as { data: Entry }).data
    },
    async entry(agent: string, id: number): Promise<Entry | undefined> {
      return ((await call(`/agents/${agent}/files`)) as { data: Entry[] }).data.find((entry) => entry.id === id)
    },
  }
}

/** How fast GET /agents is answered by an embedded server at rest and while it takes in and indexes a full file. */
export async function readsWhileIndexing(scratch: string): Promise<string> {
  const key = `bench-${crypto.randomUUID()}`
  const settings = [`ADMIN_API_KEY=${key}`, 'RATE_LIMIT_PER_MINUTE=0']
  return startMain(join(scratch, 'indexing'), settings, async (url) => {
    const { list, newAgent, upload, entry } = caller(url, key)
    const measure = async (until: () => boolean) => {
      const taken: number[] = []
      while (!until()) {
        const started = performance.now()
        await list()
        taken.push(performance.now() - started)
        await Bun.sleep(pauseMs)
      }
      return taken
    }
    const agent = await newAgent()
    await upload(agent, handbook(2_000))
    const restUntil = performance.now() + idleMs
    const atRest = await measure(() => performance.now() > restUntil)

    const started = performance.now()
    let indexedMs: number | undefined
    let vectors = 0
    const indexing = async () => {
      const { id } = await upload(agent, handbook(fullSize))
      while (performance.now() - started < maxMs) {
        const found = await entry(agent, id)
        vectors = found?.vector_count ?? 0
        if (found?.indexed) return
        await Bun.sleep(250)
      }
      throw new Error('The file was not indexed in time')
    }
    const work = indexing().finally(() => {
      indexedMs = performance.now() - started
    })
    const [meanwhile] = await Promise.all([measure(() => indexedMs !== undefined), work])
    const seconds = ((indexedMs ?? 0) / 1000).toFixed(1)
    return [
      `GET /agents over HTTP on an embedded database at rest: ${described(atRest)};`,
      `while a file of ${fullSize.toLocaleString('en-US')} characters is taken in and indexed: ${described(meanwhile)}.`,
      `The file had its ${vectors} vectors ${seconds} s after the upload began.`,
    ].join(' ')
  })
}
