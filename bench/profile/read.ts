import { engine, stepOf } from './steps.ts'

interface CpuProfile {
  nodes: { id: number; children?: number[]; callFrame: { functionName: string; url: string } }[]
  samples: number[]
  /** Microseconds since the sample before. */
  timeDeltas: number[]
}

/** Shares (0..1) of the samples of a profile's last seconds, by the step of the innermost code that belongs to one. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Map<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const steps = new Map(nodes.map(({ id, callFrame }) => [id, stepOf(callFrame.url)]))
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  const stepAt = (sample: number) => {
    for (let at: number | undefined = sample; at !== undefined; at = parents.get(at)) {
      const step = steps.get(at)
      if (step !== undefined) return step
    }
    return engine
  }
  const counted = new Map<string, number>()
  let left = seconds * 1_000_000
  let all = 0
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    const sample = samples[index] ?? 0
    left -= timeDeltas[index] ?? 0
    if (idle.has(sample)) continue
    const step = stepAt(sample)
    counted.set(step, (counted.get(step) ?? 0) + 1)
    all += 1
  }
  return new Map([...counted].map(([step, count]) => [step, count / all]))
}
