import { sql } from 'drizzle-orm'
import { authenticate } from '../../api/auth/gate.ts'
import type { RequestContext } from '../../api/context.ts'
import { ErrorResponse, toApiError } from '../../api/errors/error-response.ts'
import type { Handler } from '../../api/http/path.ts'
import { dataHeaders, errorReply, responseHeaders } from '../../api/http/response.ts'
import type { Replica } from '../../db/replica.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { ifInTime } from '../../runtime/deadline.ts'
import { gauge, type Metric, prometheusText } from '../../runtime/metrics.ts'
import { version } from '../../runtime/version.ts'
import type { Dependencies } from '../dependencies.ts'
import { databaseMetrics } from './database.ts'

const format = 'text/plain; version=0.0.4; charset=utf-8'

const replicaReads = ({ reads }: Replica): Metric => ({
  name: 'switchboard_replica_reads_total',
  help: 'Reads of lists, by the database that they ran on.',
  type: 'counter',
  samples: Object.entries(reads).map(([on, value]) => ({ labels: { on }, value })),
})

/** Metrics of this process. */
export function processMetrics(dependencies: Dependencies): Metric[] {
  const { requestTimes, eventLoop, work, databasePool, cacheSizes, replica } = dependencies
  const { idle, busy, waiting } = databasePool()
  const memory = process.memoryUsage()
  return [
    gauge('switchboard_info', 'The version.', [{ labels: { version }, value: 1 }]),
    requestTimes.metric(),
    gauge(
      'switchboard_event_loop_delay_seconds',
      'The longest delay of the thread since the last look.',
      eventLoop.longest(),
    ),
    gauge('switchboard_memory_bytes', 'Memory of the process.', [
      { labels: { kind: 'resident' }, value: memory.rss },
      { labels: { kind: 'heap' }, value: memory.heapUsed },
    ]),
    gauge('switchboard_database_connections', 'Connections of the pool.', [
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'busy' }, value: busy },
    ]),
    gauge('switchboard_database_waiting', 'Statements that wait for a connection.', waiting),
    ...(replica ? [replicaReads(replica)] : []),
    gauge(
      'switchboard_work_running',
      'Kinds of background work that run in this process.',
      work.running().map((kind) => ({ labels: { kind }, value: 1 })),
    ),
    gauge(
      'switchboard_cache_entries',
      'What is remembered in this process.',
      Object.entries(cacheSizes()).map(([cache, value]) => ({ labels: { cache }, value })),
    ),
  ]
}

/** A scrape is given up after ten seconds unless told otherwise, and has to say by then that the database is away. */
const databaseMs = 3_000

/** What work results in; undefined when it takes too long for a scrape. Throws what it throws. */
const inTime = <Result>(work: Promise<Result>): Promise<{ result: Result } | undefined> =>
  ifInTime(
    work.then((result) => ({ result })),
    databaseMs,
  )

/**
 * A context whose callers are looked up while the database responds; while it does not, one that was right before is
 * taken as it was then.
 */
function despiteOutage(
  ctx: RequestContext,
  { lastKnownAccount }: Dependencies,
): { ctx: RequestContext; isDatabaseAway: () => boolean } {
  let isDatabaseAway = false
  const authenticate: RequestContext['authenticate'] = async (token, refuseUnknown) => {
    const asked = ctx.authenticate(token, refuseUnknown)
    const known = lastKnownAccount(token)
    if (!known) return asked
    try {
      const found = await inTime(asked)
      if (found) return found.result
    } catch (error) {
      if (!isUnreachable(error)) throw error
    }
    isDatabaseAway = true
    return known
  }
  return { ctx: { ...ctx, authenticate }, isDatabaseAway: () => isDatabaseAway }
}

/**
 * Metrics of the installation: how late each kind of background work is, and what is read from the database. Only that
 * it does not respond, while it does not.
 */
async function installationMetrics({ db, work }: Dependencies, isDatabaseAway: boolean): Promise<Metric[]> {
  const up = (value: number) => gauge('switchboard_database_up', 'Whether the database responds.', value)
  try {
    if (isDatabaseAway || !(await inTime(db.execute(sql`select 1`)))) return [up(0)]
    const [late, metrics] = await Promise.all([work.lateness(), databaseMetrics(db)])
    const samples = Object.entries(late).map(([kind, value]) => ({ labels: { kind }, value }))
    const due = gauge('switchboard_work_lateness_seconds', 'How late the work is that is due longest.', samples)
    return [up(1), due, ...metrics]
  } catch {
    return [up(0)]
  }
}

/**
 * `GET /metrics` as Prometheus reads it, for an operator's token that may read, within its rate. While the database is
 * away, a token that was right within the last hour reads what this process knows, and that the database is away.
 */
export function metricsRoute(dependencies: Dependencies): [path: string, handler: Handler] {
  const handler: Handler = async (_request, ctx) => {
    try {
      const caller = despiteOutage(ctx, dependencies)
      await authenticate(caller.ctx, { access: 'operator', permission: 'read' }, async () => undefined)
      const ofAll = await installationMetrics(dependencies, caller.isDatabaseAway())
      const metrics = [...processMetrics(dependencies), ...ofAll]
      return new Response(prometheusText(metrics), {
        headers: { ...responseHeaders(ctx), ...dataHeaders, 'content-type': format },
      })
    } catch (error) {
      return errorReply(ctx, new ErrorResponse(toApiError(error), 'accounts'))
    }
  }
  return ['/metrics', handler]
}
