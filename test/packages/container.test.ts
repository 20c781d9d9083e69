import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnv } from '../../src/app/env.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const manifest = z.object({ engines: z.object({ bun: z.string() }) }).parse(JSON.parse(read('package.json')))

describe('the Dockerfile', () => {
  const instructions = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { name, rest }
    })
  const all = (name: string) => instructions.filter((entry) => entry.name === name).map(({ rest }) => rest)
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))

  test('builds on the version of Bun that the package names, in stages with names', () => {
    expect(all('ARG')).toEqual([`BUN_VERSION=${manifest.engines.bun}`])
    const stages = all('FROM')
    expect(stages.length).toBeGreaterThan(1)
    for (const stage of stages) expect(stage).toMatch(/^\S+:\$\{BUN_VERSION\}-slim AS \w+$/)
  })

  test('keeps to the rules: absolute folders, copies instead of ADD, commands without a shell, no root', () => {
    for (const folder of all('WORKDIR')) expect(folder).toMatch(/^\//)
    expect(all('ADD')).toEqual([])
    for (const command of [...all('CMD'), ...all('ENTRYPOINT')]) expect(JSON.parse(command)).toBeInstanceOf(Array)
    expect(all('RUN').filter((command) => /\bsudo\b|curl|wget|apt-get|:latest/.test(command))).toEqual([])
    for (const command of all('RUN').filter((line) => line.includes('bun install'))) {
      expect(command).toContain('--frozen-lockfile --production')
    }
    expect(last.filter(({ name }) => name === 'RUN')).toEqual([])
    expect(last.findLast(({ name }) => name === 'USER')?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(last.some(({ name, rest }) => name === 'HEALTHCHECK' && rest.includes('CMD ["bun"'))).toBe(true)
  })

  test('copies what there is, and what the build may see', () => {
    const seen = read('.dockerignore').split('\n')
    const sources = all('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1))
    expect(sources).toContain('src')
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true)
      expect(seen, source).toContain(`!${source.split('/')[0]}`)
    }
  })

  test('has everything that a server imports', () => {
    const copied = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest.split(' ').at(-1))
    expect(copied).toEqual(expect.arrayContaining(['node_modules', 'dist/console', 'drizzle', 'cli', 'scripts', 'src']))
  })
})

const Service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.string(),
  ports: z.array(z.string()).optional(),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  configs: z.record(z.string(), z.object({ content: z.string() })),
})

describe('compose.yaml', () => {
  const { services, configs } = Compose.parse(YAML.parse(read('compose.yaml')))
  const instances = Object.entries(services).filter(([name]) => name.startsWith('switchboard-'))

  test('runs two instances that may write nothing and gain no rights', () => {
    expect(instances).toHaveLength(2)
    for (const [, { read_only, cap_drop, security_opt }] of instances) {
      expect([read_only, cap_drop, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']])
    }
  })

  test('pins every image, and waits for what is healthy', () => {
    for (const [name, { image, depends_on = {} }] of Object.entries(services)) {
      expect(image, name).toMatch(/:(?!latest$)\S+$/)
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const ends = services[other]?.restart === 'no'
        expect(condition, other).toBe(ends ? 'service_completed_successfully' : 'service_healthy')
        // Instances have the check of their image.
        if (!ends && !other.startsWith('switchboard-')) expect(services[other]?.healthcheck, other).toBeDefined()
      }
    }
  })

  test('gives settings that a server takes, and no secret of its own', () => {
    const text = read('compose.yaml')
    const secrets: Record<string, string> = {
      POSTGRES_PASSWORD: 'p'.repeat(48),
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      ADMIN_API_KEY: 'a'.repeat(48),
      S3_SECRET: 's'.repeat(48),
    }
    for (const name of Object.keys(secrets)) expect(text).toContain(`\${${name}:?}`)
    const filled = (value: string | number) =>
      String(value).replace(/\$\{(\w+):(?:\?|-([^}]*))\}/g, (_, name: string, given = '') => secrets[name] ?? given)
    for (const [, { environment = {} }] of instances) {
      const settings = Object.entries(environment).map(([name, value]) => [name, filled(value)])
      const env = readEnv(Object.fromEntries(settings))
      expect(env).toMatchObject({
        databaseUrl: `postgres://switchboard:${secrets.POSTGRES_PASSWORD}@database:5432/switchboard`,
        redisUrl: 'redis://counters:6379',
        publicUrl: 'http://localhost:3000',
        drainMs: 5_000,
      })
    }
  })

  test('balances over both, by whether they are ready', () => {
    const proxied = configs.balancer?.content ?? ''
    for (const [name] of instances) expect(proxied).toContain(`${name}:3000`)
    expect(proxied).toContain('health_uri /health/ready')
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['balancer'])
  })
})
