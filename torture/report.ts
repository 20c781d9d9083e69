import type { RoundResult } from './round.ts'

/** The value below which so many of them are; 0 for none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

/** One line of a round, and what is wrong below it. */
export function roundLine(number: number, { faults, writes, loadMs, settleMs, verdict }: RoundResult): string {
  const { divergences, money, losses, histories } = verdict
  const settled = settleMs === undefined ? 'not settled' : `settled in ${seconds(settleMs)} s`
  const counts = [
    `divergences ${divergences.length}`,
    `money ${money.length}`,
    `losses ${losses.length}`,
    `histories ${histories.length}`,
  ]
  const wrong = [...divergences, ...money, ...losses, ...histories].map((text) => `  ${text}`)
  return [
    `round ${number}: faults ${faults}, writes ${writes} in ${seconds(loadMs)} s, ${settled}, ${counts.join(', ')}`,
    ...wrong,
  ].join('\n')
}

/** The last line of a run, and whether all is well. */
export function summary(rounds: readonly RoundResult[], ownEnds: number): { line: string; well: boolean } {
  const sum = (count: (round: RoundResult) => number) => rounds.reduce((total, round) => total + count(round), 0)
  const divergences = sum(({ verdict }) => verdict.divergences.length)
  const money = sum(({ verdict }) => verdict.money.length)
  const losses = sum(({ verdict }) => verdict.losses.length)
  const histories = sum(({ verdict }) => verdict.histories.length)
  const settled = rounds.flatMap(({ settleMs }) => (settleMs === undefined ? [] : [settleMs]))
  const line = [
    `faults ${sum(({ faults }) => faults)}`,
    `divergences ${divergences}`,
    `overspend or wrong money ${money}`,
    `losses ${losses}`,
    `broken histories ${histories}`,
    `process ended by itself ${ownEnds}`,
    `settle median ${seconds(quantile(settled, 0.5))} s p99 ${seconds(quantile(settled, 0.99))} s`,
  ].join(', ')
  return { line, well: divergences + money + losses + histories + ownEnds === 0 }
}

/** The faults that hit something, by kind: a line for each target. */
export function faultTable(byKind: ReadonlyMap<string, number>): string {
  const targets = Map.groupBy(
    [...byKind].sort(([one], [other]) => one.localeCompare(other)),
    ([kind]) => kind.split(':')[0],
  )
  const lines = [...targets].map(([target, kinds]) => {
    const sum = kinds.reduce((total, [, count]) => total + count, 0)
    const parts = kinds.map(([kind, count]) => `${kind.slice(kind.indexOf(':') + 2)} ${count}`)
    return `${target} ${sum}: ${parts.join(', ')}`
  })
  return lines.join('\n')
}
