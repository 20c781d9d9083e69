import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const text = read('.github/workflows/ci.yml')
const Workflow = z.object({
  permissions: z.object({ contents: z.literal('read') }).strict(),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      services: z.record(z.string(), z.object({ image: z.string() })).default({}),
      env: z.record(z.string(), z.string()).default({}),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
})

describe('the workflow', () => {
  const { jobs } = Workflow.parse(YAML.parse(text))
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  test('pins every action to a commit, and may read alone', () => {
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
  })

  test('runs what a contributor runs, with the version of Bun that the package names', () => {
    const { engines } = z.object({ engines: z.object({ bun: z.string() }) }).parse(JSON.parse(read('package.json')))
    const runs = steps.flatMap((step) => step.run ?? [])
    expect(runs).toContain('.ci/run')
    expect(statSync(join(root, '.ci/run')).mode & 0o100).toBe(0o100)
    for (const [, version] of text.matchAll(/bun@(\S+)/g)) expect(version).toBe(engines.bun)
  })

  test('tests on the PostgreSQL of compose.yaml, and names no host of a registry', () => {
    const [image] = Object.values(jobs).flatMap(({ services }) =>
      Object.values(services).map((service) => service.image),
    )
    expect(image).toMatch(/^postgres:/)
    expect(read('compose.yaml')).toContain(`image: ${image}\n`)
    expect(jobs.postgresql?.env.TEST_DATABASE_URL).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:5432\//)
    expect(text).not.toMatch(/https?:\/\//)
  })
})

test('the workflow of the simulation pins its actions and Bun, and may read alone, too', () => {
  const simulation = read('.github/workflows/simulate.yml')
  const steps = Object.values(Workflow.parse(YAML.parse(simulation)).jobs).flatMap((job) => job.steps)
  const uses = steps.flatMap((step) => step.uses ?? [])
  expect(uses.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
  expect(uses).toHaveLength(3)
  const versions = [...simulation.matchAll(/bun@(\S+)/g)].map(([, version]) => version)
  expect(new Set(versions)).toEqual(new Set([...text.matchAll(/bun@(\S+)/g)].map(([, version]) => version)))
  const [, image] = text.match(/image: (\S+)/) ?? []
  expect(simulation).toContain(`image: ${image}\n`)
})
