import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine, type Engine } from '../../simulation/database/engine.ts'
import { profileOf } from '../../simulation/directed-profiles.ts'
import { runEpisode } from '../../simulation/episode.ts'
import { planOf } from '../../simulation/operations.ts'
import { readOptions } from '../../simulation/options.ts'
import { operationKinds, profiles } from '../../simulation/profiles.ts'
import { simulate } from '../../simulation/run.ts'
import { shrink } from '../../simulation/shrink.ts'
import { newDatabase } from '../support/database.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine(await newDatabase({ max: 1 }))
})
afterAll(() => engine.close())

test('a seed makes the same things happen in the same order each time, alone and after others, and another one others', async () => {
  const run = (seed: number) => runEpisode(engine, { seed, operations: planOf(seed, 40), keep: true })
  const first = await run(9)
  const other = await run(10)
  const again = await run(9)
  expect(again.trace).toEqual(first.trace)
  expect(again.digest).toBe(first.digest)
  expect(first.trace.length).toBeGreaterThan(500)
  expect(other.digest).not.toBe(first.digest)
})

test('two instances keep every invariant, whatever breaks', async () => {
  const { failure, operations } = await simulate(engine, { seed: 21, ops: 240, instances: 2, shrink: false })
  expect(failure?.report.violations ?? []).toEqual([])
  expect(operations).toBe(240)
})

test('three instances do, too', async () => {
  const { failure } = await simulate(engine, { seed: 101, ops: 100, instances: 3, shrink: false })
  expect(failure?.report.violations ?? []).toEqual([])
})

test.each([
  [6001568, 'recovery that stood still takes in what another process saved'],
  [6002632, 'recovery that stood still notes what another process replaced'],
  [6003245, 'a create arrives a second time while its delete stands still'],
])('seed %i, in which %s, holds', async (seed) => {
  const { failure } = await simulate(engine, { seed, ops: 120, instances: 3, shrink: false })
  expect(failure?.report.violations ?? []).toEqual([])
})

describe('profiles', () => {
  test('bring every operation about in some seed', () => {
    const met = new Set(profiles.flatMap((_, index) => planOf(index + 1, 600).map(({ kind }) => kind)))
    expect(operationKinds.filter((kind) => !met.has(kind))).toEqual([])
  })

  test('are known by their names', () => {
    expect(readOptions(['--profile', 'money']).profile).toBe('money')
    expect(() => readOptions(['--profile', 'nothing'])).toThrow('--profile must be one of: everything, late writes, ')
  })

  test('have seeds of their own', async () => {
    const seen: number[] = []
    const { operations } = await simulate(
      engine,
      { seed: 1, ops: 40, instances: 2, shrink: false, profile: 'money' },
      ({ seed }) => seen.push(seed),
    )
    expect(seen.map((seed) => profileOf(seed).name)).toEqual(['money'])
    expect(operations).toBe(40)
  })
})

describe('shrinking', () => {
  const operations = planOf(3, 40)
  const violation = { rule: 'settles' as const, what: 'made up' }
  const report = (broken: boolean) => ({
    seed: 3,
    violations: broken ? [violation] : [],
    digest: '',
    trace: [],
    steps: 0,
    statements: 0,
    lastedMs: 0,
  })

  test('leaves the operations alone that are needed to break an invariant', async () => {
    const needed = [operations[5], operations[31]]
    const run = async (some: readonly unknown[]) => report(needed.every((one) => some.includes(one)))
    const smallest = await shrink({ operations, report: report(true) }, run, 500)
    expect(smallest.operations).toEqual(needed)
  })

  test('ends after so many runs', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
      return report(runs % 2 === 0)
    }
    await shrink({ operations, report: report(true) }, run, 10)
    expect(runs).toBe(10)
  })
})
