import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isVersion, released } from './release/changelog.ts'

const usage = `Usage: bun run release <version>

Makes what is unreleased a version: in CHANGELOG.md, in the package and its client, in openapi.json (which is kept as
openapi.released.json, for the next one to be compared with) and in the client's types. Commits nothing: it prints the commands that do.

  --help  shows this text`

const root = join(import.meta.dirname, '..')

async function setVersion(path: string, version: string): Promise<void> {
  const file = Bun.file(join(root, path))
  const text = await file.text()
  await file.write(text.replace(/^( {2}"version": )"[^"]*"/m, (_, name: string) => `${name}"${version}"`))
}

async function release(version: string): Promise<void> {
  const file = Bun.file(join(root, 'CHANGELOG.md'))
  const today = new Date().toISOString().slice(0, 10)
  await file.write(released(await file.text(), version, today))
  for (const path of ['package.json', 'packages/client/package.json']) await setVersion(path, version)
  for (const script of ['openapi', 'client']) {
    const { exitCode } = Bun.spawnSync([process.execPath, `scripts/${script}.ts`], { cwd: root, stdout: 'inherit' })
    if (exitCode !== 0) throw new Error(`scripts/${script}.ts failed.`)
  }
  await Bun.write(join(root, 'openapi.released.json'), Bun.file(join(root, 'openapi.json')))
  console.log(`Version ${version} is written. Then:
  bun run check && bun run test:all
  git commit -am "Release ${version}" && git tag -a v${version} -m "${version}"
  bun run single-file --check
  docker build --tag switchboard:${version} .`)
}

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
const [version = ''] = positionals
try {
  if (values.help) console.log(usage)
  else if (!isVersion(version)) throw new Error(`Give a version such as 1.2.3.\n${usage}`)
  else await release(version)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
