import type { PlatformClient } from '../../src/voice-platform/client.ts'

export type Body = Record<string, unknown>

/** A server, and its live platform as somebody on the platform's own dashboard has it. */
export interface World {
  /** `data` of a successful response. */
  data<T = Body>(method: string, path: string, body?: object): Promise<T>
  outside: PlatformClient
  /** Has everything looked at. */
  sweep(): Promise<void>
}

const perPage = 100

/** Every item of a list that has pages. */
export async function all(world: World, path: string): Promise<Body[]> {
  const found: Body[] = []
  for (let page = 1; ; page += 1) {
    const sign = path.includes('?') ? '&' : '?'
    const rows = await world.data<Body[]>('GET', `${path}${sign}per_page=${perPage}&page=${page}`)
    found.push(...rows)
    if (rows.length < perPage) return found
  }
}

/** Does the work on all items, so many at once. */
export async function forEach<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
