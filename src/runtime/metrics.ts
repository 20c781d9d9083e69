/** Labels of a sample, name to value. */
export type Labels = Readonly<Record<string, string>>

/** A metric with its samples, as Prometheus and OpenTelemetry have them. */
export interface Metric {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  /** `suffix` is the rest of a sample's name, such as `_bucket`. */
  samples: { suffix?: string; labels?: Labels; value: number }[]
}

/** A gauge of one value, or of several with labels. */
export const gauge = (name: string, help: string, given: number | Metric['samples']): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: typeof given === 'number' ? [{ value: given }] : given,
})

const escaped = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

function labelsOf(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

/** Metrics in the text format of Prometheus. */
export const prometheusText = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsOf(labels)} ${value}`),
    ])
    .join('\n')
    .concat('\n')

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

interface Observed {
  labels: Labels
  buckets: number[]
  sum: number
  count: number
}

/** Counts how long things took, in seconds, by their labels. */
export function createHistogram(name: string, help: string) {
  const observed = new Map<string, Observed>()
  return {
    observe(labels: Labels, seconds: number): void {
      const key = Object.values(labels).join('\n')
      let own = observed.get(key)
      if (!own) {
        own = { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 }
        observed.set(key, own)
      }
      own.sum += seconds
      own.count += 1
      const at = bounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) own.buckets[at] = (own.buckets[at] ?? 0) + 1
    },
    metric(): Metric {
      const samples = [...observed.values()].flatMap(({ labels, buckets, sum, count }) => {
        let cumulative = 0
        const lines = buckets.map((inBucket, index) => {
          cumulative += inBucket
          return { suffix: '_bucket', labels: { ...labels, le: String(bounds[index]) }, value: cumulative }
        })
        return [
          ...lines,
          { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
          { suffix: '_sum', labels, value: sum },
          { suffix: '_count', labels, value: count },
        ]
      })
      return { name, help, type: 'histogram', samples }
    },
  }
}

export type Histogram = ReturnType<typeof createHistogram>
