import { availableParallelism, cpus } from 'node:os'
import { pinned } from './cores.ts'
import { connections, type Figures, type Pace } from './measure.ts'
import { node } from './node.ts'
import { batchSize, procedureCounts } from './requests.ts'
import type { Starts } from './start.ts'

/** A measured column: figures by contender. */
export interface Column {
  title: string
  figures: ReadonlyMap<string, Figures>
}

/** A whole number as tables show it. */
export const number = (value: number) => Math.round(value).toLocaleString('en-US')

const cell = (figures: Figures | undefined) =>
  figures ? `${number(figures.cpu)} µs · ${number(figures.perSecond)}/s · **${figures.ratio.toFixed(2)}**` : '–'

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

/** The Markdown table of everything measured, and how it was measured. */
export function render(options: {
  columns: readonly Column[]
  names: readonly string[]
  memory: ReadonlyMap<string, number>
  sizes: { small: Figures; large: Figures } | undefined
  procedures: { few: Figures; many: Figures } | undefined
  starts: Starts | undefined
  postgresql: string
  pace: Pace
}): string {
  const { columns, names, memory, sizes, procedures, starts, postgresql, pace } = options
  const lines: string[] = []
  if (columns.length > 0) {
    const head = ['', ...columns.map(({ title }) => title), 'memory after the load']
    lines.push(row(head), row(head.map(() => '---')))
    for (const name of names) {
      const rss = memory.get(name)
      const figures = columns.map((column) => cell(column.figures.get(name)))
      lines.push(row([name, ...figures, rss === undefined ? '–' : `${number(rss)} MB`]))
    }
    lines.push('')
  }
  const plain = ({ cpu, perSecond }: Figures) => `${number(cpu)} µs · ${number(perSecond)}/s`
  if (procedures) {
    const { few, many } = procedures
    lines.push(
      `GET one over REST among ${procedureCounts.few} procedures: ${plain(few)}; among ${procedureCounts.many}: ${plain(many)}.`,
      '',
    )
  }
  if (sizes) {
    lines.push(
      `The list over REST among 10,000 assistants: ${plain(sizes.small)}; among 1,000,000: ${plain(sizes.large)} (20 workspaces each; of the million, 990,000 are copies of a template row with empty configurations behind the same first pages).`,
      '',
    )
  }
  if (starts) {
    const { cold, embedded, server } = starts
    lines.push(
      `Start to first answer: ${number(cold.milliseconds)} ms on an empty folder (with ${number(cold.peakMib)} MB at most), ${number(embedded.milliseconds)} ms on an embedded database that was used before, ${number(server.milliseconds)} ms on a PostgreSQL server. At rest, eight seconds later: ${number(embedded.restMib)} MB on the embedded database, ${number(server.restMib)} MB on the PostgreSQL server.`,
      '',
    )
  }
  const nodeVersion = node ? `, Node ${node.version}` : ''
  lines.push(
    `Cells: processor time of the server for one call · calls per second · processor time of the first row divided by this row's. Medians of ${pace.rounds} paired rounds of ${pace.seconds} s after a warm-up, ${connections} connections kept open; a tRPC batch has ${batchSize} calls, each counted.`,
    `Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})${pinned ? ', the measured server on one, load and database on the other' : ''}; Bun ${Bun.version}${nodeVersion}, PostgreSQL ${postgresql}.`,
  )
  return lines.join('\n')
}
