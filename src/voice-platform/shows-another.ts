import { PlatformError } from './errors.ts'
import type { RemoteKind } from './mirror/remote-kind.ts'
import type { CallOptions } from './transport.ts'

const maxSampled = 8

type Live = Pick<RemoteKind['live'], 'pages' | 'get'>

async function newestOf({ pages }: Live, options: CallOptions): Promise<readonly { id: string }[]> {
  for await (const page of pages(undefined, options)) return page
  return []
}

/**
 * Whether the platform shows an object besides those that it failed to show; undefined where there is no other. Of the
 * newest thousand a few that lie apart are read at once, as objects that fail were often made together.
 * @throws PlatformError when it does not list them
 */
export async function showsAnother(
  live: Live,
  failed: ReadonlySet<string>,
  options: CallOptions,
): Promise<boolean | undefined> {
  const others = (await newestOf(live, options)).filter(({ id }) => !failed.has(id))
  if (others.length === 0) return undefined
  const step = Math.ceil(others.length / maxSampled)
  const sampled = others.filter((_, at) => at % step === 0)
  const reads = sampled.map(({ id }) => live.get(id, { ...options, countsFailure: false }))
  return Promise.any(reads).then(
    () => true,
    ({ errors }: AggregateError) => {
      const fault = errors.find((error) => !(error instanceof PlatformError))
      if (fault !== undefined) throw fault
      return false
    },
  )
}
