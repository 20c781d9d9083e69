export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status: { code?: number }
}

/** A collector that keeps what it is sent. */
export function startCollector() {
  const received = { spans: [] as ReceivedSpan[], metrics: [] as { name: string }[], keys: new Set<string | null>() }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      received.keys.add(request.headers.get('api-key'))
      const body = await request.json()
      for (const { scopeSpans } of body.resourceSpans ?? []) received.spans.push(...scopeSpans[0].spans)
      for (const { scopeMetrics } of body.resourceMetrics ?? []) received.metrics.push(...scopeMetrics[0].metrics)
      return Response.json({})
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, received, stop: () => server.stop(true) }
}

/** Each span with the one that it is in, by their names. */
export const tree = (spans: ReceivedSpan[]) => {
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  return spans.map(({ name, parentSpanId = '' }) => `${nameOf.get(parentSpanId) ?? '-'} > ${name}`)
}
