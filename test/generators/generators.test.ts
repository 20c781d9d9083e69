import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiToBruno } from '@usebruno/converters'
import converter from 'openapi-to-postmanv2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const description = join(root, 'openapi.json')
const withCompiler = ['--preload', join(import.meta.dirname, 'with-typescript-5.ts')]
const operations = Object.values<Record<string, unknown>>(JSON.parse(readFileSync(description, 'utf8')).paths).flatMap(
  Object.keys,
).length

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-generators-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return (await child.exited) === 0 ? '' : out + err
}

describe.each([
  [
    'openapi-typescript',
    'types.d.ts',
    `import type { paths } from './types.d.ts'
     export type Page = paths['/assistants']['get']['responses'][200]['content']['application/json']
     export const total = (page: Page): number => page.pagination.total`,
    (out: string) => [...withCompiler, 'node_modules/openapi-typescript/bin/cli.js', description, '-o', out],
  ],
  [
    'hey-api',
    'hey/index.ts',
    `import { assistantsCreate } from './hey/index.ts'
     export const create = async () => (await assistantsCreate({ body: { name: 'Front desk' } })).data?.data.assistant_id`,
    (out: string) => [...withCompiler, join(import.meta.dirname, 'hey-api.ts'), description, join(out, '..')],
  ],
  [
    'orval',
    'orval.ts',
    `import { assistantsCreate } from './orval.ts'
     export const create = () => assistantsCreate({ name: 'Front desk', firstMessage: 'Hello' })`,
    (out: string) => [
      'node_modules/orval/dist/bin/orval.mjs',
      ...['--input', description, '--output', out, '--client', 'fetch'],
    ],
  ],
])('%s', (name, file, use, command) => {
  test('makes a client that compiles under strict, and can be used', async () => {
    expect(await run(...command(join(folder, file)))).toBe('')
    writeFileSync(join(folder, `use-${name}.ts`), use)
    const config = join(folder, `tsconfig.${name}.json`)
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true, types: [] },
      ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', lib: ['ESNext', 'DOM', 'DOM.Iterable'] },
    }
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [file, `use-${name}.ts`] }))
    const child = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', config], { stdout: 'pipe' })
    expect(await new Response(child.stdout).text()).toBe('')
  }, 180_000)
})

/** Requests in the folders of a collection. */
const requestsIn = (items: { items?: unknown[]; item?: unknown[] }[]): number =>
  items.reduce((count, entry) => {
    const inner = entry.items ?? entry.item
    return count + (Array.isArray(inner) ? requestsIn(inner as typeof items) : 1)
  }, 0)

test("Bruno's importer reads every operation", async () => {
  const collection = await openApiToBruno(JSON.parse(readFileSync(description, 'utf8')))
  expect(collection.name).toBe('Switchboard')
  expect(requestsIn(collection.items)).toBe(operations)
}, 180_000)

test("Postman's importer reads every operation", async () => {
  const data = readFileSync(description, 'utf8')
  const converted = await new Promise<{ result: boolean; reason?: string; output?: { data: { item: object[] } }[] }>(
    (resolve, reject) => {
      converter.convertV2({ type: 'string', data }, { folderStrategy: 'Tags' }, (error, result) => {
        if (error) reject(error)
        else resolve(result as Parameters<typeof resolve>[0])
      })
    },
  )
  expect([converted.result, converted.reason]).toEqual([true, undefined])
  expect(requestsIn(converted.output?.[0]?.data.item ?? [])).toBe(operations)
}, 180_000)
