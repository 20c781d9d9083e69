import type { Figure, Labels } from '../../runtime/metrics.ts'

/** Since the start, not since the last time. */
const cumulative = 2

type Sample = Figure['samples'][number]

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

/** Figures in the form of OTLP. Times are nanoseconds since 1970. */
export function metricsOf(figures: readonly Figure[], startTimeUnixNano: string, timeUnixNano: string) {
  const times = { startTimeUnixNano, timeUnixNano }
  return figures.map(({ name, help, type, samples }) => {
    const said = { name, description: help }
    if (type === 'histogram') {
      const groups = [...Map.groupBy(samples, labelsBesidesBound).values()]
      const dataPoints = groups.map((group) => histogramPoint(group, times))
      return { ...said, histogram: { aggregationTemporality: cumulative, dataPoints } }
    }
    const dataPoints = samples.map(({ labels, value }) => ({
      ...times,
      attributes: attributesOf(labels),
      asDouble: value,
    }))
    return type === 'counter'
      ? { ...said, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
      : { ...said, gauge: { dataPoints } }
  })
}
