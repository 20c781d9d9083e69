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

/** The pages of a list, backwards in time; each holds what those before it did not. */
export async function* pagesOf<Found extends Stored>(
  list: (filter: ListFilter) => Promise<Found[]>,
  filter: ListFilter,
): AsyncGenerator<Found[]> {
  const seen = new Set<string>()
  let createdAtLe: string | undefined
  for (;;) {
    const page = await list({ limit: largestPage, ...filter, createdAtLe })
    const fresh = page.filter(({ id }) => !seen.has(id))
    yield fresh
    for (const { id } of fresh) seen.add(id)
    // The bound includes its own millisecond, for objects that share it with the last of the page.
    createdAtLe = page.at(-1)?.createdAt
    if (page.length < largestPage || fresh.length === 0) return
  }
}

/** Walks a list backwards in time until `visit` has seen enough of a page; all pages share one deadline. */
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
