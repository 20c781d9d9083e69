import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { appRouter } from '../src/router.ts'
import { version } from '../src/runtime/version.ts'
import { clientTypes } from './client-types.ts'

const USAGE = `Usage: bun run client [--check] [--build]

Writes the types of the client package, packages/client/src/router.ts, from the procedures.

  --check  writes nothing; exit code 1 when they are not up to date
  --build  makes packages/client/dist besides, ready to be packed and published
  --help   shows this text`

const folder = fileURLToPath(new URL('../packages/client', import.meta.url))

async function write(checkOnly: boolean): Promise<boolean> {
  const file = Bun.file(`${folder}/src/router.ts`)
  const text = clientTypes(appRouter)
  const isCurrent = (await file.exists()) && (await file.text()) === text
  if (!isCurrent && !checkOnly) await Bun.write(file, text)
  return isCurrent
}

/** One module of JavaScript and its declarations; tRPC stays outside. */
async function build(): Promise<void> {
  const { success } = await Bun.build({
    entrypoints: [`${folder}/src/index.ts`],
    outdir: `${folder}/dist`,
    target: 'browser',
    minify: true,
    packages: 'external',
  })
  if (!success) throw new Error('The client could not be built.')
  const tsc = Bun.spawnSync(['node_modules/.bin/tsc', '-p', `${folder}/tsconfig.json`], { stdout: 'inherit' })
  if (tsc.exitCode !== 0) throw new Error('The client has type errors.')
  const manifest = await Bun.file(`${folder}/package.json`).json()
  if (manifest.version !== version)
    await Bun.write(`${folder}/package.json`, `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`)
  console.log(`packages/client/dist is built, version ${version}.`)
}

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, build: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) console.log(USAGE)
else {
  const isCurrent = await write(values.check ?? false)
  if (values.check && !isCurrent) {
    console.error('The types of the client are not up to date: run `bun run client`.')
    process.exitCode = 1
  } else
    console.log(isCurrent ? 'The types of the client are up to date.' : 'packages/client/src/router.ts was written.')
  if (values.build) await build()
}
