import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, onServer } from '../support/database.ts'
import { shortLivedWith } from '../support/short-lived.ts'

const root = join(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-refused-'))
const role = `refused_${crypto.randomUUID().slice(0, 8)}`
/** The database of the server that it lets nobody change. */
let closed = ''

async function withAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const template = inject('databaseTemplate')
  if (template.engine === 'embedded') return
  const sql = postgres(template.url, { max: 1, onnotice: () => {} })
  await work(sql)
  await sql.end()
}

beforeAll(async () => {
  if (!onServer()) return
  closed = await createTestDatabase()
  await withAdmin((sql) => sql`create role ${sql(role)} login password 'of the role'`)
})
afterAll(async () => {
  await withAdmin((sql) => sql`drop role ${sql(role)}`)
  rmSync(dataDir, { recursive: true, force: true })
})

const changed = (part: Partial<Record<'username' | 'password' | 'pathname', string>>) =>
  Object.assign(new URL(closed), part).href

const setUpWrongly: [() => string, RegExp][] = [
  [() => changed({ username: 'nobody_here' }), /role "nobody_here" does not exist|for user "nobody_here"/],
  [() => changed({ pathname: '/not_there' }), /^DATABASE_URL: database "not_there" does not exist$/],
  [
    () => changed({ username: role, password: 'of the role' }),
    /^DATABASE_URL: permission denied for (schema|database) \w+$/,
  ],
]

test.runIf(onServer())('a move says which of its databases gives no right', async () => {
  const settings = { DATA_DIR: dataDir, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'), LOG_LEVEL: 'silent' }
  const run = async (words: string[], url: string) => {
    const env = shortLivedWith({ ...settings, DATABASE_URL: url })
    const child = Bun.spawn([process.execPath, 'cli/main.ts', ...words], { cwd: root, env, stderr: 'pipe' })
    return [(await new Response(child.stderr).text()).trim(), await child.exited]
  }
  const source = await createTestDatabase()
  expect(await run(['migrate'], source)).toEqual(['', 0])
  const asRole = (url: string) => Object.assign(new URL(url), { username: role, password: 'of the role' }).href
  expect(await run(['move', '--to', asRole(closed)], source)).toEqual([
    expect.stringMatching(/^--to: permission denied for (schema|database) \w+$/),
    1,
  ])
  const sql = postgres(source, { max: 1, onnotice: () => {} })
  await sql`grant usage on schema drizzle to ${sql(role)}`
  await sql`grant select on all tables in schema drizzle to ${sql(role)}`
  expect(await run(['move', '--to', await createTestDatabase()], asRole(source))).toEqual([
    expect.stringMatching(/^DATABASE_URL: permission denied for table \w+$/),
    1,
  ])
  await sql`drop owned by ${sql(role)}`
  await sql.end()
})

test.runIf(onServer())(
  'a start says which setting beside DATABASE_URL is refused, and of which parameter',
  async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [
        { DATABASE_DIRECT_URL: changed({ pathname: '/not_there' }) },
        /^DATABASE_DIRECT_URL: database "not_there" does not exist$/,
      ],
      [
        { DATABASE_REPLICA_URL: changed({ pathname: '/not_there' }) },
        /^DATABASE_REPLICA_URL: database "not_there" does not exist$/,
      ],
      [
        { DATABASE_URL: `${closed}?statement_timeout=abc` },
        /^DATABASE_URL: invalid value for parameter "statement_timeout": "abc"$/,
      ],
      [
        { DATABASE_URL: `${closed}?statment_timeout=5` },
        /^DATABASE_URL: unrecognized configuration parameter "statment_timeout"$/,
      ],
    ]
    for (const [given, sentence] of cases) {
      const settings = { PORT: '0', DATA_DIR: dataDir, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }
      const env = shortLivedWith({ ...settings, LOG_LEVEL: 'silent', DATABASE_URL: closed, ...given })
      const child = Bun.spawn([process.execPath, 'src/main.ts'], { cwd: root, env, stdin: 'ignore', stderr: 'pipe' })
      const said = (await new Response(child.stderr).text()).trim()
      expect([await child.exited, said]).toEqual([1, expect.stringMatching(sentence)])
    }
  },
)

test.runIf(onServer()).each([
  ['a start', ['src/main.ts']],
  ['migrate', ['cli/main.ts', 'migrate']],
  ['a backup', ['cli/main.ts', 'backup', '--to', join(dataDir, 'archives')]],
])('%s says what PostgreSQL refuses', async (command, words) => {
  // A backup creates nothing.
  const cases = setUpWrongly.slice(0, command === 'a backup' ? 2 : undefined)
  for (const [url, sentence] of cases) {
    const settings = { PORT: '0', DATA_DIR: dataDir, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }
    const env = shortLivedWith({ ...settings, LOG_LEVEL: 'silent', DATABASE_URL: url() })
    const child = Bun.spawn([process.execPath, ...words], { cwd: root, env, stdin: 'ignore', stderr: 'pipe' })
    const said = (await new Response(child.stderr).text()).trim()
    expect([await child.exited, said]).toEqual([1, expect.stringMatching(sentence)])
    expect(said).toMatch(/^DATABASE_URL: .+$/)
    expect(said).not.toContain('of the role')
  }
})
