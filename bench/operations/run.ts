import { join } from 'node:path'
import { type Child, startChild } from '../child.ts'
import { type Cluster, createDatabase, databaseName } from '../cluster.ts'
import { type Contender, script } from '../contenders.ts'
import { type Figures, measure, type Pace } from '../measure.ts'
import type { Call } from '../requests.ts'
import { seed } from '../seed.ts'
import { number } from '../table.ts'
import { fill, removeTurns } from './fill.ts'
import { record } from './recording.ts'

const cell = ({ cpu, perSecond, ratio }: Figures) =>
  `${number(cpu)} µs · ${number(perSecond)}/s · **${ratio.toFixed(2)}**`

/** Every operation on a server that sends its statements and nothing else, and on both faces of this one. */
export async function compareOperations(
  cluster: Cluster,
  generator: Child,
  scratch: string,
  pace: Pace,
  say: (text: string) => void,
): Promise<string> {
  say('Filling a database with chats and passages')
  const url = await createDatabase(cluster, databaseName('operations'))
  const filled = await fill(url, await seed(url))
  const rows: [title: string, calls: Call[], afterEach?: () => Promise<void>][] = [
    ['messages of a chat, 20', filled.list],
    ['chat turn, empty knowledge', filled.turn, () => removeTurns(url)],
    ['search among 1,000 passages', filled.search],
    ['statistics of 50 calls, kept for a second', filled.stats],
  ]
  const lines = ['| | its statements alone | REST | tRPC |', '|---|---|---|---|']
  for (const [index, [title, calls, afterEach]] of rows.entries()) {
    say(`Recording: ${title}`)
    const file = join(scratch, `recorded-${index}.json`)
    await Bun.write(file, JSON.stringify(await record(url, calls)))
    await afterEach?.()
    const start = async (name: string, face: Contender['face'], path: string): Promise<Contender> => ({
      name,
      face,
      server: await startChild(process.execPath, path, [url, file], 0),
    })
    const contenders = [
      await start('statements', 'rest', script('replay')),
      await start('REST', 'rest', script('whole')),
      await start('tRPC', 'rpc', script('whole')),
    ]
    say(`Measuring: ${title}`)
    // One workspace searches four times at once, and no more.
    const own = calls === filled.search ? { ...pace, connections: 4 } : pace
    const figures = await measure(generator, contenders, calls, own, afterEach)
    for (const { server } of contenders) await server.end()
    lines.push(`| ${title} | ${figures.map(cell).join(' | ')} |`)
  }
  lines.push(
    '',
    `Each row's first column is a server that sends the statements which were recorded for each request, one after the other, and gives the recorded body; it knows no rule, makes no reply and embeds no question. Medians of ${pace.rounds} paired rounds of ${pace.seconds} s.`,
  )
  return lines.join('\n')
}
