import { beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { freshRequest } from './matrix/request.ts'
import { callOn, createWorld, type World } from './matrix/world.ts'

const operations = operationsOf(restRouter)

let world: World
beforeAll(async () => {
  world = await createWorld()
})

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s succeeds with the message that its description shows, or with none',
  async (_name, operation) => {
    const { params, input } = await freshRequest(world, operation)
    const { access, message } = operation.meta
    const isOperators = access === 'operator' || operation.path.startsWith('/imports')
    const { token } = isOperators ? world.operator : world.owner
    const { status, body } = await callOn('rest')(world, operation, params, input, token)
    expect(status).toBe(operation.meta.status ?? 200)
    // The tool that the description names is one of a name of its own here.
    const shown = message?.replace('look_up', String(params.tool_name))
    expect(typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined).toBe(shown)
  },
)
