import { type Cast, createCast } from './cast.ts'
import type { Described, Description } from './description.ts'
import { Pool } from './pool.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Target } from './target.ts'

/** Two tenants and their objects, whom one request at a time is about: what differs afterwards, it did. */
export interface Lane {
  number: number
  /** What a response may take. */
  maxMilliseconds: number
  target: Target
  description: Description
  cast: Cast
  pool: Pool
  /** When a write was last left whose response nobody waited for, in milliseconds: the server may be at it still. */
  leftAt?: number
}

export async function createLane(
  target: Target,
  description: Description,
  number: number,
  maxMilliseconds: number,
): Promise<Lane> {
  const cast = await createCast(target, number)
  const pool = new Pool()
  return { number, maxMilliseconds, target, description, cast, pool }
}

/** The choices of one request of a run. */
export const choicesOf = (seed: number, request: number): Random => randomOf(seedOf(seed, request))

const heavy = /search|\/messages$|completions|\/files$|\/chat$|test-calls/

/** How often an operation is called, compared with others. */
export function weightOf({ path, method }: Described): number {
  if (path === '/openapi.json') return 0.05
  const often = path.startsWith('/admin') ? 0.25 : heavy.test(path) ? 0.3 : 1
  if (method === 'DELETE') return often * 0.3
  return path.includes('{') || method !== 'POST' ? often : often * 1.5
}
