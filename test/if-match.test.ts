import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError, errorBody } from '../src/api/errors/api-error.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { callerOf, facesOf, freshRequest, idsOf, notFound } from './matrix/request.ts'
import { callOn, createWorld, type Face, type Input, pathWith, type World } from './matrix/world.ts'

const operations = operationsOf(restRouter)
const conditional = operations.filter(({ meta }) => meta.matches)
const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const)

let world: World
beforeAll(async () => {
  world = await createWorld()
})

function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`no operation ${name}`)
  return found
}

/** The tag of a read, on one of the faces. */
async function tagOf(read: Operation, params: Input, face: Face = 'rest'): Promise<string> {
  const own = Object.fromEntries(read.pathParameters.map((name) => [name, params[name]]))
  const path =
    face === 'rest' ? pathWith(read, own) : `/trpc/${read.name}?input=${encodeURIComponent(JSON.stringify(own))}`
  const response = await world.app.send('GET', path, { token: callerOf(world, read).token })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.headers.get('etag') ?? 'none'
}

const readsOf = ({ meta }: Operation) => (meta.matches ?? []).map(operationNamed)
const changed = ({ meta }: Operation) =>
  errorBody(new ApiError('precondition_failed'), meta.document === 'completions' ? 'completions' : 'agents')
const withTag = (etag: string) => ({ 'if-match': etag })
const ofBuilder = ({ name }: Operation) => name === 'assistantBuilder.get'

/** Writes at a read, or one word below it, that compare nothing, and why. */
const unconditional: Record<string, string> = {
  'assistantBuilder.preview': 'changes nothing',
  'deliveries.replay': "sends what is kept once more, and undoes nobody's change",
  'agentShares.leave': "ends the caller's own share, whatever it had become",
  'drift.scan': 'starts a look at everything, whatever the last one found',
}

test('what a read has a tag for, its writes compare, also those one word below it', () => {
  const reads = new Set(
    operations.filter(({ type, meta }) => type === 'query' && !meta.download).map(({ path }) => path),
  )
  // What responds 201 is new, and leaves what was read as it is.
  const writes = operations.filter(
    ({ type, meta, path }) =>
      type === 'mutation' && meta.status !== 201 && (reads.has(path) || reads.has(path.replace(/\/[^/{}]+$/, ''))),
  )
  const forgotten = writes.filter(({ meta }) => !meta.matches).map(({ name }) => name)
  const told =
    'say in the metadata which reads it changes (matches), and call requireMatch; or say why not in this test'
  expect(forgotten.sort(), told).toEqual(Object.keys(unconditional).sort())
  expect(conditional.length).toBeGreaterThan(30)
})

test('both faces give a read the same tag', async () => {
  const read = operationNamed('assistants.get')
  const { params } = await freshRequest(world, read)
  expect(await tagOf(read, params, 'trpc')).toBe(await tagOf(read, params))
})

test.each([
  ['strong', (tag: string) => tag.replace('W/', ''), 200],
  ['among others', (tag: string) => `"old", ${tag}`, 200],
  ['any', () => '*', 200],
  ['several old ones', () => '"old", W/"older"', 412],
  ['empty', () => '', 412],
] as const)('a condition may be: %s', async (_form, headerOf, status) => {
  const operation = operationNamed('agents.update')
  const { params, input } = await freshRequest(world, operation)
  const header = withTag(headerOf(await tagOf(operationNamed('agents.get'), params)))
  const answer = await callOn('rest')(world, operation, params, input, world.owner.token, header)
  expect(answer).toMatchObject({ status })
})

describe.each(named(conditional))('%s', (_name, operation) => {
  test('is refused with an old tag, and changes nothing', async () => {
    const [read] = readsOf(operation)
    if (!read) throw new Error('nothing is read')
    const { token } = callerOf(world, operation)
    for (const face of facesOf(operation)) {
      const { params, input } = await freshRequest(world, operation)
      const before = await tagOf(read, params)
      const answer = await callOn(face)(world, operation, params, input, token, withTag('W/"old"'))
      expect({ face, ...answer }).toEqual({ face, status: 412, body: changed(operation) })
      expect(await tagOf(read, params)).toBe(before)
    }
  })

  test('is done with the current tag of every read, whichever face gave it', async () => {
    for (const read of readsOf(operation).filter((one) => !ofBuilder(one) || operation.name.startsWith('assistantB'))) {
      for (const face of facesOf(operation)) {
        const { params, input } = await freshRequest(world, operation)
        const tag = await tagOf(read, params, face === 'rest' ? 'trpc' : 'rest')
        const { token } = callerOf(world, operation)
        const answer = await callOn(face)(world, operation, params, input, token, withTag(tag))
        const status = face === 'trpc' ? 200 : (operation.meta.status ?? 200)
        expect({ read: read.name, face, ...answer }).toMatchObject({ status })
      }
    }
  })

  test('is not there with a condition for who may not see it', async () => {
    const [error] = operation.pathParameters.map((name) => idsOf(operation)[name])
    if (!error || operation.meta.access === 'operator') return
    const { params, input } = await freshRequest(world, operation)
    const answer = await callOn('rest')(world, operation, params, input, world.otherReseller.token, withTag('"old"'))
    expect(answer).toEqual(notFound(operation, error))
  })
})

/** Writes that show in what is read, each with an input of its own at every call. */
const visible: Record<string, (at: number) => Input> = {
  'assistants.update': (at) => ({ name: `Desk ${at}` }),
  'assistants.updateAdvanced': (at) => ({ name: `Desk ${at}` }),
  'embed.update': (at) => ({ embed_config: { mode: 'chat', title: `Hello ${at}` } }),
  'phoneNumbers.update': (at) => ({ name: `Line ${at}` }),
  'agents.update': (at) => ({ name: `Helper ${at}` }),
  'chats.update': (at) => ({ title: `Talk ${at}` }),
  'budgets.putOfAgent': (at) => ({ window: 'day', tokens: 1_000 + at }),
  'budgets.putOfToken': (at) => ({ window: 'day', tokens: 1_000 + at }),
  'profile.update': (at) => ({ name: `Ada ${at}` }),
  'admin.users.update': (at) => ({ name: `Ada ${at}` }),
  'admin.workspaces.update': (at) => ({ name: `Studio ${at}` }),
  'admin.promptTemplates.replace': (at) => ({ name: `Clinic ${at}`, prompt: 'You work there.' }),
  'admin.tools.replace': (at) => ({ label: `Look up ${at}`, description: 'Looks.', type: 'function', scope: 'global' }),
}

const atOnce = 4

/** What of an input is seen where it is read: the value that holds its number. */
function markOf(input: Input): string {
  const value = Object.values(input).find((one) => JSON.stringify(one).includes('2'))
  return JSON.stringify(typeof value === 'object' && value !== null ? Object.values(value)[1] : value)
}

describe.each(Object.entries(visible))('%s at once', (name, inputAt) => {
  test('succeeds once of several that read the same', async () => {
    const operation = operationNamed(name)
    const [read] = readsOf(operation)
    if (!read) throw new Error('nothing is read')
    const { params } = await freshRequest(world, operation)
    const sent = withTag(await tagOf(read, params))
    const { token } = callerOf(world, operation)
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, at) => callOn('rest')(world, operation, params, inputAt(at), token, sent)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: atOnce - 1 }, () => 412)])
  })

  test('never writes over what came between, also of who compares nothing', async () => {
    const operation = operationNamed(name)
    const [read] = readsOf(operation)
    if (!read) throw new Error('nothing is read')
    const { token } = callerOf(world, operation)
    for (let round = 0; round < 3; round++) {
      const { params } = await freshRequest(world, operation)
      const before = withTag(await tagOf(read, params))
      const write = (at: number, headers = {}) => callOn('rest')(world, operation, params, inputAt(at), token, headers)
      const calls = round % 2 ? [write(1, before), write(2)] : [write(2), write(1, before)]
      const [compared, plain] = round % 2 ? await Promise.all(calls) : (await Promise.all(calls)).toReversed()
      expect(plain?.status).toBe(200)
      const last = JSON.stringify((await callOn('rest')(world, read, params, {}, token)).body)
      expect(last).toContain(markOf(inputAt(2)))
      expect([200, 412]).toContain(compared?.status)
    }
  })
})
