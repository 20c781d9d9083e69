import { PlatformError } from './errors.ts'
import type { CallOptions } from './transport.ts'

/** One kind of object, as far as it is asked for here. */
interface Shown {
  /** All of the kind, the newest first, a page after the other. */
  pages(options: CallOptions): AsyncIterable<readonly { id: string }[]>
  get(id: string, options: CallOptions): Promise<unknown>
}

const maxSampled = 8

async function newestOf({ pages }: Shown, options: CallOptions): Promise<readonly { id: string }[]> {
  for await (const page of pages(options)) return page
  return []
}

/**
 * Whether the platform shows an object besides those that it failed to show; undefined where there is no other. Of the newest
 * thousand a few that lie apart are read at once, as objects that fail were often made together.
 * @throws PlatformError when it does not list them
 */
export async function showsAnother(
  kind: Shown,
  failed: ReadonlySet<string>,
  options: CallOptions,
): Promise<boolean | undefined> {
  const others = (await newestOf(kind, options)).filter(({ id }) => !failed.has(id))
  if (others.length === 0) return undefined
  const step = Math.ceil(others.length / maxSampled)
  const sampled = others.filter((_, at) => at % step === 0)
  const reads = sampled.map(({ id }) => kind.get(id, { ...options, countsFailure: false }))
  return Promise.any(reads).then(
    () => true,
    ({ errors }: AggregateError) => {
      const fault = errors.find((error) => !(error instanceof PlatformError))
      if (fault !== undefined) throw fault
      return false
    },
  )
}
