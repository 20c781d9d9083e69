import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { declarations } from './platform-client/declarations.ts'

const USAGE = `Usage: bun run references [--check]

Writes two files in src/voice-platform/references. names.json: the properties of the platform's bodies that name one of
its objects, and what kind of object. parts.json: the properties that hold a server, tools or headers, and those below
which everything is named freely. Taken from the types of the platform's official client, following what they refer to.

  --check  writes nothing; exit code 1 when the file is not up to date
  --help   shows this text`

/** The bodies that are sent to the platform. */
const roots = [
  'CreateAssistantDto',
  'UpdateAssistantDto',
  'CreateSquadDto',
  'UpdateSquadDto',
  'CreatePhoneNumbersRequest',
  'UpdatePhoneNumbersRequestBody',
  'CreateToolsRequest',
  'UpdateToolsRequestBody',
]

/**
 * Ids that mean something to others than the platform: to voice providers, clouds, carriers and authorisation servers.
 * A name that is neither here nor of a known kind is taken for an object that no account has.
 */
const elsewhere = new Set([
  'id',
  'accessKeyId',
  'accountId',
  'authorizationId',
  'awsAccessKeyId',
  'callerId',
  'clientId',
  'externalId',
  'groupId',
  'libraryIds',
  'personaId',
  'privateKeyId',
  'projectId',
  'teamId',
  'userId',
  'versionId',
  'voiceId',
])

const kinds = ['assistant', 'squad', 'tool', 'workflow', 'credential']

const kindOf = (name: string): string => {
  const stem = name.replace(/Ids?$/, '').toLowerCase()
  return kinds.find((kind) => stem.endsWith(kind)) ?? 'other'
}

/** What the bodies have, by the names of their properties: the types of each. */
function properties(types: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const waiting = [...roots]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const text = types.get(name)
    if (text === undefined && roots.includes(name)) throw new Error(`The client has no type ${name}`)
    if (text === undefined || seen.has(name)) continue
    seen.add(name)
    for (const [, referred] of text.matchAll(/Vapi\.(\w+)/g)) if (referred) waiting.push(referred)
    for (const [, property = '', type = ''] of text.matchAll(/^\s+"?([\w:]+)"?\??: (.*?)(?: \| undefined)?;/gm)) {
      found.set(property, (found.get(property) ?? new Set()).add(type))
    }
  }
  return found
}

/** The names of `Id` and `Ids` properties in the bodies, with the kind of what each names. */
function referenceNames(found: ReadonlyMap<string, unknown>): Record<string, string> {
  const own = [...found.keys()].filter((name) => /Ids?$/.test(name) && !elsewhere.has(name)).sort()
  return Object.fromEntries(own.map((name) => [name, kindOf(name)]))
}

/** What callers fill as they like: maps, values and JSON schemas. */
const freeTypes = /^(Record<string, (unknown|string|Vapi\.JsonSchema)>|Vapi\.(JsonSchema|ToolParameterValue))$/

/** What a property holds, by the types that it has: a server, tools, headers, or what callers name freely. */
function partOf(name: string, held: ReadonlySet<string>, types: ReadonlyMap<string, string>): string | undefined {
  const named = (type: string) => /^Vapi\.(\w+?)(\[\])?$/.exec(type)?.[1]
  if (held.has('Vapi.Server')) return 'server'
  if (name === 'headers') return 'headers'
  if ([...held].some((type) => types.get(named(type) ?? '')?.includes('extends Vapi.CreateFunctionToolDto')))
    return 'tool'
  return [...held].some((type) => freeTypes.test(type)) ? 'free' : undefined
}

function partNames(found: ReadonlyMap<string, ReadonlySet<string>>, types: ReadonlyMap<string, string>) {
  const parts = [...found].map(([name, held]) => [name, partOf(name, held, types)] as const)
  return Object.fromEntries(
    parts.filter(([, part]) => part !== undefined).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/** The files that are written, with their contents. */
async function contents(): Promise<Record<string, object>> {
  const types = await declarations()
  const found = properties(types)
  return { 'names.json': referenceNames(found), 'parts.json': partNames(found, types) }
}

async function run(checkOnly: boolean): Promise<number> {
  let isOutdated = false
  for (const [name, content] of Object.entries(await contents())) {
    const file = Bun.file(fileURLToPath(new URL(`../src/voice-platform/references/${name}`, import.meta.url)))
    const text = `${JSON.stringify(content, null, 2)}\n`
    const isCurrent = (await file.exists()) && (await file.text()) === text
    if (!isCurrent && checkOnly) {
      console.error(`${name} is not up to date: run \`bun run references\` and review the difference.`)
      isOutdated = true
      continue
    }
    if (!isCurrent) await Bun.write(file, text)
    console.log(isCurrent ? `${name} is up to date.` : `${name} was written.`)
  }
  return isOutdated ? 1 : 0
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values.check ?? false)
}
