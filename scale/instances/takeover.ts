import type { Cluster } from '../../torture/outside/postgres.ts'
import { startInstance } from '../instance.ts'
import { made, send, timeUntil } from './api.ts'
import { startOutside, type Target } from './outside.ts'

/** Something that an instance is killed in. */
interface Work {
  what: string
  /** Where it waits when its instance is killed. */
  waitsAt: Target
  /** Runs on a voice platform outside, and not on the embedded one. */
  live?: true
  /** Makes what it needs; begins it; says whether another instance has finished it. */
  prepare(url: string, outside: string): Promise<{ begin(): Promise<unknown>; isDone(other: string): Promise<boolean> }>
}

const lookMs = 250
const idOf = async (url: string, path: string, body: object) => String((await made(url, 'POST', path, body)).id)

const works: Work[] = [
  {
    what: "a chat's turn, sent again with its Idempotency-Key: its reply",
    waitsAt: 'model',
    async prepare(url) {
      const agent = await idOf(url, '/agents', { name: 'Guide' })
      const chat = await idOf(url, `/agents/${agent}/chats`, {})
      const [path, body] = [`/agents/${agent}/chats/${chat}/messages`, { content: 'When do you open?' }]
      const headers = { 'idempotency-key': crypto.randomUUID() }
      return {
        begin: () => send(url, 'POST', path, body, headers),
        isDone: async (other) => (await send(other, 'POST', path, body, headers)).status < 300,
      }
    },
  },
  {
    what: 'a webhook: its second delivery',
    waitsAt: 'receiver',
    async prepare(url, outside) {
      const metadata = { webhook_url: `${outside}/receiver` }
      const { assistant_id: id } = await made(url, 'POST', '/assistants', { name: 'Desk', metadata })
      const list = async (other: string) => await send(other, 'GET', `/assistants/${id}/deliveries?status=delivered`)
      return {
        begin: () => send(url, 'POST', `/assistants/${id}/test-calls`, {}),
        isDone: async (other) => JSON.stringify((await list(other)).data).includes('delivered'),
      }
    },
  },
  {
    what: 'a file that is indexed: that it can be searched',
    waitsAt: 'embeddings',
    async prepare(url) {
      const agent = await idOf(url, '/agents', { name: 'Reader' })
      const form = new FormData()
      form.set('file', new File(['We open at nine. Parking is behind the house.'], 'hours.txt', { type: 'text/plain' }))
      return {
        begin: () => send(url, 'POST', `/agents/${agent}/files`, form),
        async isDone(other) {
          const all = Object.values((await send(other, 'GET', `/agents/${agent}/files`)).data) as { indexed: boolean }[]
          return all.every(({ indexed }) => indexed)
        },
      }
    },
  },
  {
    what: 'a write on the voice platform: that both sides agree again',
    waitsAt: 'platform',
    live: true,
    async prepare(url) {
      const { assistant_id: id } = await made(url, 'POST', '/assistants', { name: 'Before' })
      return {
        begin: () => send(url, 'PUT', `/assistants/${id}`, { name: 'After' }),
        isDone: async (other) => (await send(other, 'PUT', `/assistants/${id}`, { name: 'Later' })).status === 200,
      }
    },
  },
]

/** Kills an instance in the middle of a work; the milliseconds until another one has finished it. */
async function takenOver({ waitsAt, live, prepare }: Work, databaseUrl: string): Promise<number> {
  const outside = startOutside()
  const settings = {
    ...{ LLM_BASE_URL: `${outside.url}/model`, LLM_MODELS: 'stub', EMBEDDINGS_MODEL: 'stub' },
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    ...(live && { VOICE_PLATFORM_URL: `${outside.url}/platform`, VOICE_PLATFORM_API_KEY: 'stub' }),
  }
  const first = await startInstance(databaseUrl, settings)
  try {
    const { begin, isDone } = await prepare(first.url, outside.url)
    outside.hold(waitsAt)
    const before = outside.counts[waitsAt]
    const begun = begin().catch(() => undefined)
    await timeUntil(async () => outside.counts[waitsAt] > before, 10)
    const second = await startInstance(databaseUrl, settings)
    try {
      await Promise.race([begun, Bun.sleep(100)])
      process.kill(first.pid, 'SIGKILL')
      outside.release(waitsAt)
      return await timeUntil(() => isDone(second.url), lookMs)
    } finally {
      await second.stop()
    }
  } finally {
    await first.stop()
    await outside.stop()
  }
}

/** How long it takes until another instance has finished what a killed one was at, in milliseconds, for each kill. */
export async function takeovers(
  cluster: Cluster,
  kills: number,
  say: (text: string) => void,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  for (const [index, work] of works.entries()) {
    const database = `takeover_${index}`
    await cluster.createDatabase(database)
    for (let count = 0; count < kills; count++) {
      say(`Killing an instance in the middle of ${work.what.split(':')[0]}`)
      times.set(work.what, [...(times.get(work.what) ?? []), await takenOver(work, cluster.url(database))])
    }
  }
  return times
}
