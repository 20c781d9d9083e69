import type { Logger } from 'pino'
import type { DatabaseHandle } from '../../db/client.ts'
import type { Observe } from '../../outgoing/observe.ts'
import { instance } from '../../runtime/instance.ts'
import type { Metric } from '../../runtime/metrics.ts'
import type { Slots } from '../../runtime/slots.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { Tracing } from '../../runtime/tracing.ts'
import { version } from '../../runtime/version.ts'
import type { Env } from '../env.ts'
import { createExporter } from './otlp.ts'
import { tracedDatabase } from './statements.ts'
import { createTracer } from './tracer.ts'

/** Traces and metrics of this process, sent to a collector. */
export interface Telemetry {
  tracing: Tracing
  observe: Observe
  database(handle: DatabaseHandle): DatabaseHandle
  /** Slots of turns, each of which becomes a span. */
  turns(slots: Slots): Slots
  /** Where metrics are read from, once there are any. */
  addMetrics(source: () => Metric[]): void
  /** Sends what waits. */
  close(): Promise<void>
}

interface Outside {
  log: Logger
  timers?: Timers
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

const hostOf = (target: unknown): string | undefined => {
  const text = target instanceof Request ? target.url : String(target)
  return URL.canParse(text) ? new URL(text).hostname : undefined
}
const methodOf = (init: unknown): string =>
  typeof init === 'object' && init !== null && 'method' in init ? String(init.method) : 'GET'

/** The clock of all spans of this process, finer than the date's. */
const now = () => performance.timeOrigin + performance.now()

/** Starts to send traces and metrics to the collector of the settings. */
export function startTelemetry(settings: NonNullable<Env['telemetry']>, outside: Outside): Telemetry {
  const { log, timers = systemTimers, fetch: send = (...call) => fetch(...call) } = outside
  let metrics: () => Metric[] = () => []
  const exporter = createExporter({
    ...{ collector: settings, version, instance, fetch: send, log, timers, now },
    metrics: () => metrics(),
  })
  const tracing = createTracer({ ratio: settings.ratio, now, chance: timers.chance, ended: exporter.add })
  return {
    tracing,
    observe:
      (peer, call) =>
      (...args) => {
        const method = methodOf(args[1])
        const attributes = { 'peer.service': peer, 'http.request.method': method, 'server.address': hostOf(args[0]) }
        return tracing.run(`${method} ${peer}`, { kind: 'client', attributes }, async (span) => {
          const response = await call(...args)
          span.set({ 'http.response.status_code': response.status })
          if (response.status >= 400) span.fail()
          return response
        })
      },
    database: (handle) => tracedDatabase(handle, tracing),
    turns: (slots) => ({
      ...slots,
      run: (key, work) => tracing.run('turn', { kind: 'internal' }, () => slots.run(key, work)),
    }),
    addMetrics(source) {
      metrics = source
    },
    close: exporter.close,
  }
}
