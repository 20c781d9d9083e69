import type { Vapi } from '@vapi-ai/server-sdk'
import type { CallOptions, Transport } from './transport.ts'

/**
 * List filters; times are ISO 8601. The platform lists newest first, 100 unless `limit` (0..1000) says otherwise.
 */
export type ListFilter = Vapi.ListAssistantsRequest

/** An object as lists show it, as far as it matters here. */
export interface Stored {
  id: string
  createdAt: string
}

const largestPage = 1000

/**
 * What comes after a page: what was made earlier, or later where a page begins with the oldest, as the platform does
 * not say how it sorts. The bound includes its own millisecond, for objects that share it with the last of the page.
 */
function following(page: readonly Stored[]): ListFilter {
  const [first, last] = [page.at(0)?.createdAt, page.at(-1)?.createdAt]
  const isAscending = first !== undefined && last !== undefined && Date.parse(first) < Date.parse(last)
  return isAscending ? { createdAtGe: last } : { createdAtLe: last }
}

/** The pages of a list in the order of time, whichever way that runs; each holds what those before it did not. */
export async function* pagesOf<Found extends Stored>(
  list: (filter: ListFilter) => Promise<Found[]>,
  filter: ListFilter,
): AsyncGenerator<Found[]> {
  const seen = new Set<string>()
  let bounds: ListFilter = {}
  for (;;) {
    const page = await list({ limit: largestPage, ...filter, ...bounds })
    const fresh = page.filter(({ id }) => !seen.has(id))
    yield fresh
    for (const { id } of fresh) seen.add(id)
    if (page.length < largestPage || fresh.length === 0) return
    bounds = following(page)
  }
}

/** Walks a list until `visit` has seen enough of a page; all pages share one deadline. */
export async function walk<Found extends Stored>(
  transport: Transport,
  list: (filter: ListFilter, options: CallOptions) => Promise<Found[]>,
  visit: (page: Found[]) => boolean,
  filter: ListFilter,
  options: CallOptions = {},
): Promise<void> {
  const now = () => transport.clock.now().getTime()
  const deadline = now() + Math.min(transport.timeoutMs, options.timeoutMs ?? transport.timeoutMs)
  const page = (bounds: ListFilter) =>
    list(bounds, { signal: options.signal, timeoutMs: Math.max(1, deadline - now()) })
  for await (const found of pagesOf(page, filter)) if (visit(found)) return
}
