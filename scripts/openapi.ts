import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { openApiText } from '../src/api/openapi/text.ts'
import { restRouter } from '../src/router.ts'
import { differences } from './openapi/changes.ts'

const USAGE = `Usage: bun run openapi [--check]

Writes openapi.json, the OpenAPI 3.1 description of the REST API, from the procedures. Needs no database.

  --check  writes nothing; exit code 1, and the operations that differ, when openapi.json is not up to date
  --help   shows this text`

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values.check ?? false)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run(checkOnly: boolean): Promise<number> {
  const file = Bun.file(fileURLToPath(new URL('../openapi.json', import.meta.url)))
  const text = openApiText(openApiDocument(restRouter, '/'))
  const committed = (await file.exists()) ? await file.text() : ''
  const isCurrent = committed === text
  if (checkOnly && !isCurrent) {
    for (const line of differences(committed, text)) console.error(line)
    console.error('openapi.json is not up to date: run `bun run openapi` and review the difference.')
    return 1
  }
  if (!isCurrent) await Bun.write(file, text)
  console.log(isCurrent ? 'openapi.json is up to date.' : 'openapi.json was written.')
  return 0
}
