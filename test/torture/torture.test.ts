import { expect, test } from 'vitest'
import { torture } from '../../torture/torture.ts'
import { layOutDatabase } from '../support/database.ts'
import { shortLivedWith } from '../support/short-lived.ts'

/** As many faults as the suite has time for; `bun run torture` takes what it is given. */
const short = { seed: 14, rounds: 1, faults: 12, postgres: false, instances: 1, clients: 4 }
const setup = { layOut: layOutDatabase, settings: shortLivedWith({}) }

test('a short torture on the embedded database finds nothing wrong', async () => {
  const said: string[] = []
  const { line, well } = await torture({ ...short, ...setup }, (text) => said.push(text))
  expect(well, said.join('\n')).toBe(true)
  expect(line).toMatch(
    /^faults \d+, divergences 0, overspend or wrong money 0, losses 0, broken histories 0, process ended by itself 0, settle median [\d.]+ s p99 [\d.]+ s$/,
  )
  expect(Number(/^faults (\d+)/.exec(line)?.[1])).toBeGreaterThanOrEqual(8)
}, 180_000)
