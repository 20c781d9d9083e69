import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'switchboard-client-'))
const installed = join(folder, 'app/node_modules/switchboard')
const tsc = join(root, 'node_modules/.bin/tsc')

const client = `
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from 'switchboard'

const api = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: 'http://127.0.0.1:1/trpc' })] })

export async function use() {
  const created = await api.assistants.create.mutate({ name: 'Desk', voice: { speed: 1.5 }, type: 'production' })
  const id: string = created.data.assistant_id
  const greeting: string = created.data.first_message
  const page = await api.assistants.list.query({ sort_by: 'name', lite: true })
  const names: string[] = page.data.map((row) => row.name)
  try {
    await api.assistants.update.mutate({ assistantId: id, name: greeting })
  } catch (error) {
    if (error instanceof TRPCClientError) console.log(error.data?.body, error.data?.httpStatus)
  }
  return names
}
`

const wrong = `
import { createTRPCClient } from '@trpc/client'
import type { AppRouter } from 'switchboard'

declare const api: ReturnType<typeof createTRPCClient<AppRouter>>
export const misspelt = () => api.assistants.create.mutate({ name: 5 })
export const missing = () => api.assistants.nothing.query()
export const notThere = async () => (await api.assistants.get.query({ assistantId: 'x' })).data.nothing
`

beforeAll(async () => {
  // Its own types are checked elsewhere: `bun run check`.
  await run(tsc, ['-p', join(root, 'tsconfig.types.json'), '--noCheck', '--outDir', join(installed, 'dist/types')])
  const manifest = { name: 'switchboard', exports: { '.': { types: './dist/types/src/router.d.ts' } } }
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest))
  symlinkSync(join(root, 'node_modules/@trpc'), join(folder, 'app/node_modules/@trpc'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2022',
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(
    join(folder, 'app/tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib: ['ES2022', 'DOM'] } }),
  )
  writeFileSync(join(folder, 'app/package.json'), JSON.stringify({ type: 'module' }))
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const compile = async (source: string) => {
  writeFileSync(join(folder, 'app/index.ts'), source)
  return run(tsc, ['-p', join(folder, 'app')]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

test('a project of its own has every type and needs no server code', async () => {
  expect(await compile(client)).toBe('')
})

test('what the contract does not have is a type error', async () => {
  const errors = await compile(wrong)
  expect(errors).toContain("Type 'number' is not assignable to type 'string'")
  expect(errors).toContain("Property 'nothing' does not exist")
  expect(errors.match(/error TS/g)).toHaveLength(3)
})
