import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSingleFile } from './single-file/build.ts'
import { checkSingleFile } from './single-file/check.ts'

const usage = `Usage: bun run single-file [--outfile <path>] [--check]

Builds the whole server as one file that needs nothing else, not even Bun.

  --outfile  where to (default: dist/switchboard)
  --check    starts what was built, in an empty folder, and uses it
  --help     shows this text`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const { values } = parseArgs({ options: { outfile: text, check: flag, help: { ...flag, short: 'h' } } })

try {
  if (values.help) console.log(usage)
  else {
    const outfile = resolve(values.outfile ?? join(import.meta.dirname, '../dist/switchboard'))
    const size = await buildSingleFile(outfile)
    console.log(`${outfile} is built: ${Math.round(size / 1e6)} MB.`)
    if (values.check) {
      await checkSingleFile(outfile)
      console.log('It starts, and what it carries works.')
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
