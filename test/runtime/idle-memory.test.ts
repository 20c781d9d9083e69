import { expect, test } from 'vitest'
import { idleMemoryPart } from '../../src/runtime/idle-memory.ts'

/** At which seconds memory was given back, by what a process worked in each second, in milliseconds. */
function givenBackAt(worked: readonly number[]): number[] {
  let look = () => {}
  let total = 700
  let second = 0
  const given: number[] = []
  const every = (_ms: number, run: () => void) => {
    look = run
    return () => {
      look = () => {}
    }
  }
  const giveBack = () => {
    given.push(second)
    total += 65
  }
  const part = idleMemoryPart({ every }, { workedMs: () => total, giveBack })
  part.start()
  for (const ms of worked) {
    second++
    total += ms
    look()
  }
  part.stop()
  look()
  return given
}

const quiet = (seconds: number) => Array<number>(seconds).fill(10)
const busy = (seconds: number) => Array<number>(seconds).fill(60)

test.each([
  ['three quiet seconds after the start', quiet(3), [3]],
  ['not after two', quiet(2), []],
  ['later where the first seconds are busy', [...busy(5), ...quiet(3)], [8]],
  ['the quiet seconds follow each other', [...quiet(2), ...busy(1), ...quiet(2)], []],
  ['once, however long nothing is done', quiet(2_000), [3]],
  ['again four minutes after the last work', [...quiet(4), ...busy(1), ...quiet(240)], [3, 245]],
  ['not a second before', [...quiet(4), ...busy(1), ...quiet(239)], [3]],
  [
    'never while something is done now and then',
    [
      ...quiet(4),
      ...Array(20)
        .fill([...quiet(200), ...busy(1)])
        .flat(),
    ],
    [3],
  ],
])('memory is given back: %s', (_when, worked, expected) => {
  expect(givenBackAt(worked)).toEqual(expected)
})
