import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import { createEmbeddedPlatform, embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
import { servePlatform } from '../../src/voice-platform/embedded/serve.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { median } from '../measure.ts'
import { startMain } from '../start.ts'
import { outsideEdits } from './edits.ts'
import { untouched } from './untouched.ts'
import type { World } from './world.ts'

export interface Size {
  resources: number
  sweeps: number
  edits: number
}

const platformKey = 'sk_bench'
const saves = 200
const scanMs = 600_000

/** A live platform in this process, served over HTTP. */
function startPlatform() {
  const platform = createEmbeddedPlatform({
    apiKey: platformKey,
    store: createMemoryStore(),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    record: true,
  })
  const served = servePlatform(platform)
  const client = (over: typeof fetch) =>
    createPlatformClient({ baseUrl: served.url, apiKey: platformKey, fetch: over, clock: systemClock })
  return { platform, served, outside: client(embeddedFetch(platform) as typeof fetch), overHttp: client(fetch) }
}

type Started = ReturnType<typeof startPlatform>

function worldOf(url: string, key: string, { platform, outside }: Started): World {
  const data: World['data'] = async <T>(method: string, path: string, body?: object): Promise<T> => {
    platform.requests.length = 0
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
  return {
    data,
    outside,
    async sweep() {
      await data('POST', '/drift/scan')
      for (const deadline = performance.now() + scanMs; ; await Bun.sleep(50)) {
        const { state } = await data('GET', '/drift/scan')
        if (state === 'finished') return
        if (performance.now() > deadline) throw new Error('The sweep did not end')
      }
    },
  }
}

/** What the read before a save costs: its requests, and its share of the time. */
async function readBeforeSave(world: World, { platform, overHttp }: Started): Promise<string> {
  const record = await world.data('POST', '/assistants', { name: 'Saved' })
  const methods = new Map<string, number>()
  const [saved, read]: [number[], number[]] = [[], []]
  for (let count = 0; count < saves; count += 1) {
    let started = performance.now()
    await world.data('PUT', `/assistants/${record.assistant_id}`, { name: 'Saved', firstMessage: `Hello ${count}.` })
    saved.push(performance.now() - started)
    for (const { method } of platform.requests) methods.set(method, (methods.get(method) ?? 0) + 1)
    started = performance.now()
    await overHttp.assistants.get(String(record.voice_assistant_id))
    read.push(performance.now() - started)
  }
  const each = [...methods].map(([method, count]) => `${(count / saves).toFixed(2)} ${method}`).join(' and ')
  const [save, get] = [median(saved).toFixed(1), median(read).toFixed(1)]
  return `A save sends the platform ${each}; it takes ${save} ms in the median, one such read ${get} ms.`
}

const numbers = (count: number) => count.toLocaleString('en-US')

/** Whether the sweep finds what was changed on the platform, all of it and nothing else, on an embedded database. */
export async function driftCounts(scratch: string, { resources, sweeps, edits }: Size): Promise<string> {
  /** One part on a server and a platform of its own. */
  const use = async (name: string, work: (world: World, started: Started) => Promise<string>) => {
    const started = startPlatform()
    const key = `bench-${crypto.randomUUID()}`
    const settings = [
      `ADMIN_API_KEY=${key}`,
      'RATE_LIMIT_PER_MINUTE=0',
      'DRIFT_SWEEP_MINUTES=0',
      `VOICE_PLATFORM_URL=${started.served.url}`,
      `VOICE_PLATFORM_API_KEY=${platformKey}`,
    ]
    try {
      return await startMain(join(scratch, name), settings, (url) => work(worldOf(url, key, started), started))
    } finally {
      await started.served.stop()
    }
  }
  const lines = [
    await use('drift-edits', async (world) => {
      const assistants = Math.max(1, Math.round(edits / 10))
      const seen = await outsideEdits(world, { assistants, edits, random: Math.random, atOnce: 8 })
      return [
        `${numbers(seen.edits)} outside edits of ${numbers(assistants)} assistants, ${numbers(seen.saves)} saves in between:`,
        `${numbers(seen.open)} values were outside when the sweep began, ${numbers(seen.found)} were found;`,
        `${numbers(seen.met)} were met by a save, ${numbers(seen.kept)} are versions; **${seen.lost.length} lost**.`,
      ].join(' ')
    }),
    await use('drift-save', readBeforeSave),
    await use('drift-untouched', async (world) => {
      const found = await untouched(world, resources, sweeps)
      return `${numbers(resources)} resources that nobody touched, swept ${numbers(sweeps)} times: **${found} differences**.`
    }),
  ]
  return `Changes outside\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}
