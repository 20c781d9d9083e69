import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { declarations } from './platform-client/declarations.ts'

const USAGE = `Usage: bun run references [--check]

Writes src/voice-platform/references/names.json: the properties of the platform's bodies that name one of its objects,
and what kind of object. Taken from the types of the platform's official client, following what they refer to.

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

/** The names of `Id` and `Ids` properties in the bodies, with the kind of what each names. */
export async function referenceNames(): Promise<Record<string, string>> {
  const types = await declarations()
  const names = new Set<string>()
  const seen = new Set<string>()
  const waiting = [...roots]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const text = types.get(name)
    if (text === undefined && roots.includes(name)) throw new Error(`The client has no type ${name}`)
    if (text === undefined || seen.has(name)) continue
    seen.add(name)
    for (const [, referred] of text.matchAll(/Vapi\.(\w+)/g)) if (referred) waiting.push(referred)
    for (const [, property] of text.matchAll(/^\s+"?(\w*(?:Id|Ids))"?\??: /gm)) if (property) names.add(property)
  }
  const own = [...names].filter((name) => !elsewhere.has(name)).sort()
  return Object.fromEntries(own.map((name) => [name, kindOf(name)]))
}

async function run(checkOnly: boolean): Promise<number> {
  const file = Bun.file(fileURLToPath(new URL('../src/voice-platform/references/names.json', import.meta.url)))
  const text = `${JSON.stringify(await referenceNames(), null, 2)}\n`
  const isCurrent = (await file.exists()) && (await file.text()) === text
  if (checkOnly && !isCurrent) {
    console.error('names.json is not up to date: run `bun run references` and review the difference.')
    return 1
  }
  if (!isCurrent) await Bun.write(file, text)
  console.log(isCurrent ? 'names.json is up to date.' : 'names.json was written.')
  return 0
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values.check ?? false)
}
