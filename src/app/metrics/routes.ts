import { authenticate } from '../../api/auth/gate.ts'
import { ErrorResponse, toApiError } from '../../api/errors/error-response.ts'
import type { Handler } from '../../api/http/path.ts'
import { dataHeaders, errorReply, responseHeaders } from '../../api/http/response.ts'
import type { Replica } from '../../db/replica.ts'
import { type Metric, prometheusText } from '../../runtime/metrics.ts'
import { version } from '../../runtime/version.ts'
import type { Dependencies } from '../dependencies.ts'
import { databaseMetrics } from './database.ts'

const format = 'text/plain; version=0.0.4; charset=utf-8'

const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
})

const replicaReads = ({ reads }: Replica): Metric => ({
  name: 'switchboard_replica_reads_total',
  help: 'Reads of lists, by the database that they ran on.',
  type: 'counter',
  samples: Object.entries(reads).map(([on, value]) => ({ labels: { on }, value })),
})

/** Metrics of this process. */
export function processMetrics({ monitor, work, databasePool, cacheSizes, replica }: Dependencies): Metric[] {
  const { idle, busy, waiting } = databasePool()
  const memory = process.memoryUsage()
  return [
    gauge('switchboard_info', 'The version.', [{ labels: { version }, value: 1 }]),
    monitor.requests.metric(),
    gauge('switchboard_event_loop_delay_seconds', 'The longest delay of the thread since the last look.', [
      { value: monitor.eventLoop.longest() },
    ]),
    gauge('switchboard_memory_bytes', 'Memory of the process.', [
      { labels: { kind: 'resident' }, value: memory.rss },
      { labels: { kind: 'heap' }, value: memory.heapUsed },
    ]),
    gauge('switchboard_database_connections', 'Connections of the pool.', [
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'busy' }, value: busy },
    ]),
    gauge('switchboard_database_waiting', 'Statements that wait for a connection.', [{ value: waiting }]),
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

/** Metrics of the installation: how late each kind of background work is, and what is read from the database. Only that it does not respond, while it does not. */
async function installationMetrics({ db, work }: Dependencies): Promise<Metric[]> {
  const up = (value: number) => gauge('switchboard_database_up', 'Whether the database responds.', [{ value }])
  try {
    const [late, metrics] = await Promise.all([work.lateness(), databaseMetrics(db)])
    const samples = Object.entries(late).map(([kind, value]) => ({ labels: { kind }, value }))
    const due = gauge('switchboard_work_lateness_seconds', 'How late the work is that is due longest.', samples)
    return [up(1), due, ...metrics]
  } catch {
    return [up(0)]
  }
}

/** `GET /metrics` as Prometheus reads it, for an operator's token that may read, within its rate. */
export function metricsRoute(dependencies: Dependencies): [path: string, handler: Handler] {
  const handler: Handler = async (_request, ctx) => {
    try {
      await authenticate(ctx, { access: 'operator', permission: 'read' }, async () => undefined)
      const metrics = [...processMetrics(dependencies), ...(await installationMetrics(dependencies))]
      return new Response(prometheusText(metrics), {
        headers: { ...responseHeaders(ctx), ...dataHeaders, 'content-type': format },
      })
    } catch (error) {
      return errorReply(ctx, new ErrorResponse(toApiError(error), 'accounts'))
    }
  }
  return ['/metrics', handler]
}
