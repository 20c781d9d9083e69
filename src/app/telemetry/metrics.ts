import type { Labels, Metric } from '../../runtime/metrics.ts'

/** Since the start, not since the last time. */
const cumulative = 2

type Sample = Metric['samples'][number]

const attributesOf = (labels: Labels = {}) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } }))

/** The lines of one histogram that have the same labels, as OTLP counts them: each bucket for itself. */
function histogramPoint(samples: Sample[], times: object) {
  const value = (suffix: string) => samples.find((sample) => sample.suffix === suffix)?.value ?? 0
  const buckets = samples.filter(({ suffix }) => suffix === '_bucket')
  const { le: _, ...labels } = buckets[0]?.labels ?? {}
  return {
    ...times,
    attributes: attributesOf(labels),
    count: String(value('_count')),
    sum: value('_sum'),
    explicitBounds: buckets.slice(0, -1).map((sample) => Number(sample.labels?.le)),
    bucketCounts: buckets.map((sample, index) => String(sample.value - (buckets[index - 1]?.value ?? 0))),
  }
}

const labelsBesidesBound = ({ labels = {} }: Sample) => {
  const { le: _, ...others } = labels
  return JSON.stringify(others)
}

/** Metrics in the JSON form of OTLP. Times are nanoseconds since 1970. */
export function otlpMetrics(metrics: readonly Metric[], startTimeUnixNano: string, timeUnixNano: string) {
  const times = { startTimeUnixNano, timeUnixNano }
  return metrics.map(({ name, help, type, samples }) => {
    const described = { name, description: help }
    if (type === 'histogram') {
      const groups = [...Map.groupBy(samples, labelsBesidesBound).values()]
      const dataPoints = groups.map((group) => histogramPoint(group, times))
      return { ...described, histogram: { aggregationTemporality: cumulative, dataPoints } }
    }
    const dataPoints = samples.map(({ labels, value }) => ({
      ...times,
      attributes: attributesOf(labels),
      asDouble: value,
    }))
    return type === 'counter'
      ? { ...described, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
      : { ...described, gauge: { dataPoints } }
  })
}
