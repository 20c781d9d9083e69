import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSwitchboard, errorOf } from '../packages/client/src/index.ts'
import { newUser, type TestApp, testApp } from './support/app.ts'
import { listening } from './support/listening.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const tsc = join(root, 'node_modules/.bin/tsc')

describe('in a project of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-client-'))
  const installed = join(folder, 'node_modules/switchboard-client')

  beforeAll(async () => {
    await run(tsc, ['-p', join(root, 'packages/client/tsconfig.json'), '--outDir', join(installed, 'dist')])
    const manifest = { name: 'switchboard-client', type: 'module', exports: { '.': { types: './dist/index.d.ts' } } }
    writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest))
    symlinkSync(join(root, 'node_modules/@trpc'), join(folder, 'node_modules/@trpc'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  }, 180_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** What the compiler says of a source, under strict rules and with every library checked. */
  async function compile(source: string, module: 'NodeNext' | 'Bundler'): Promise<string> {
    const project = join(folder, module)
    mkdirSync(project, { recursive: true })
    const resolution = module === 'Bundler' ? { module: 'ESNext', moduleResolution: 'Bundler' } : { module }
    // `tsc --init` writes the newest target.
    const compilerOptions = {
      target: 'ESNext',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      ...resolution,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    writeFileSync(join(project, 'index.ts'), source)
    return run(tsc, ['-p', project]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  }

  const good = `
import { createSwitchboard, errorOf, type AppRouter } from 'switchboard-client'
import { createTRPCClient, httpBatchLink } from '@trpc/client'

const { api, uploadFile } = createSwitchboard({ url: 'http://127.0.0.1:1', token: async () => 'x' })
export const plain = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: 'http://127.0.0.1:1/trpc' })] })

export async function use() {
  const created = await api.assistants.create.mutate({ name: 'Desk', voice: { speed: 1.5 }, type: 'production' })
  const id: string = created.data.assistant_id
  const names: string[] = (await api.assistants.list.query()).data.map((row) => row.name)
  const email: string = (await api.profile.get.query()).data.email
  const file: number = (await uploadFile('agent', new File([], 'a.txt'))).id
  const sent: string = (await api.agentFiles.upload.mutate(new FormData())).data.original_name
  const message: string | undefined = errorOf(new Error())?.body.message
  return [id, names, email, file, sent, message]
}
`
  const wrong = `
import { createSwitchboard } from 'switchboard-client'

const { api } = createSwitchboard({ url: '', token: '' })
export const misspelt = () => api.assistants.create.mutate({ name: 5 })
export const missing = () => api.assistants.nothing.query()
export const notThere = async () => (await api.assistants.get.query({ assistantId: 'x' })).data.nothing
export const needed = () => api.assistants.get.query()
`

  test.each(['NodeNext', 'Bundler'] as const)(
    'every type is there under %s, and needs no server code',
    async (module) => {
      expect(await compile(good, module)).toBe('')
    },
  )

  test('what the contract does not have is a type error', async () => {
    const errors = await compile(wrong, 'Bundler')
    expect(errors).toContain("Type 'number' is not assignable to type 'string'")
    expect(errors).toContain("Property 'nothing' does not exist")
    expect(errors.match(/error TS/g)).toHaveLength(4)
  })

  test('is under 5 kB', async () => {
    const out = join(folder, 'index.js')
    const entrypoints = [join(root, 'packages/client/src/index.ts')]
    const { outputs } = await Bun.build({ entrypoints, target: 'browser', minify: true, packages: 'external' })
    await Bun.write(out, outputs[0] ?? '')
    expect(statSync(out).size).toBeGreaterThan(500)
    expect(statSync(out).size).toBeLessThan(5_000)
  })
})

describe('against a server', () => {
  let app: TestApp
  let server: ReturnType<typeof listening>
  beforeAll(async () => {
    app = await testApp()
    server = listening(app)
  })
  afterAll(() => server.stop())

  test('calls go together, errors say what the server says, files come back', async () => {
    const { token } = await newUser(app.database)
    const requests: string[] = []
    const spying = Object.assign(
      (input: string | URL | Request, init?: RequestInit) => {
        requests.push(String(input))
        return fetch(input, init)
      },
      { preconnect: fetch.preconnect },
    )
    const { api, uploadFile, downloadFile } = createSwitchboard({ url: `${server.url}/`, token, fetch: spying })
    const { data: assistant } = await api.assistants.create.mutate({ name: 'Desk' })
    const before = requests.length
    const [read, page] = await Promise.all([
      api.assistants.get.query({ assistantId: assistant.assistant_id }),
      api.assistants.list.query(),
    ])
    expect([read.data.name, page.pagination.total, requests.length - before]).toEqual(['Desk', 1, 1])

    const refused = await api.assistants.update
      .mutate({ assistantId: assistant.assistant_id, name: '' })
      .catch((error: unknown) => errorOf(error))
    expect(refused).toEqual({
      status: 422,
      body: {
        success: false,
        message: 'Assistant name is required.',
        errors: { name: ['Assistant name is required.'] },
      },
    })
    const { data: agent } = await api.agents.create.mutate({ name: 'Helper' })
    const uploaded = await uploadFile(agent.id, new File(['Open at nine.'], 'hours.txt'))
    expect(await (await downloadFile(agent.id, uploaded.id)).text()).toBe('Open at nine.')
    const form = new FormData()
    form.set('agent_id', agent.id)
    form.set('file', new File(['Close at six.'], 'evening.txt'))
    expect((await api.agentFiles.upload.mutate(form)).data.original_name).toBe('evening.txt')
    const missing = await downloadFile(agent.id, 2_000_000_000).catch((error: unknown) => errorOf(error))
    expect(missing).toMatchObject({ status: 404 })
    expect(errorOf(new Error('lost'))).toBeUndefined()
  })
})
