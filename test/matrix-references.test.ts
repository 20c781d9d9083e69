import { beforeAll, expect, test } from 'vitest'
import { readDescription } from '../fuzz/description.ts'
import { openApiDocument } from '../src/api/openapi/document.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { appRouter } from '../src/router.ts'
import { type IdField, idFieldsOf, withField } from './matrix/id-fields.ts'
import { type Reference, referenceOf, secretOf } from './matrix/references.ts'
import { facesOf, freshRequest } from './matrix/request.ts'
import { callOn, createWorld, type Face, type World, worldOf } from './matrix/world.ts'
import { newTokenFor, newUser } from './support/app.ts'

/**
 * Ids inside inputs, over every procedure that is not for operators: whoever names another workspace's object in a body
 * or a query gets nothing of it. A field that is added tomorrow is in it.
 */
const description = readDescription(JSON.stringify(openApiDocument(appRouter, '/')))
const fields = operationsOf(appRouter)
  .filter(({ meta }) => meta.access !== 'operator')
  .flatMap((operation) => {
    const described = description.operations.find(({ procedure }) => procedure === operation.name)
    if (!described) throw new Error(`${operation.name} is not described`)
    return idFieldsOf(description, described).map((field) => ({
      title: `${operation.name} ${field.name}`,
      operation,
      field,
    }))
  })

let world: World
/** The same world, in which a stranger is the owner of what is made. */
let strangers: Record<Face, World>

beforeAll(async () => {
  world = await createWorld()
  strangers = {
    rest: worldOf(world, await newUser(world.app.database)),
    trpc: worldOf(world, world.otherReseller),
  }
})

async function call(of: World, operation: Operation, field: IdField, reference: Reference, face: Face, id?: unknown) {
  const { params, input } = await freshRequest(of, operation)
  const own = await reference.make(of)
  const named = id ?? own
  const whole = (await reference.input?.(of, named, own)) ?? withField(input, field, named)
  const { status, body } = await callOn(face)(of, operation, params, whole, of.owner.token)
  return { status, text: JSON.stringify(body) }
}

test('the places of ids are found, in lists and under other fields', () => {
  const titles = fields.map(({ title }) => title)
  expect(titles).toContain('assistants.create model.toolIds')
  expect(titles).toContain('squads.publish members.*.assistantDestinations.*.assistantId')
  expect(titles).toContain('assistantTools.list owner_id')
})

const owned = fields.flatMap((entry) => {
  const reference = referenceOf(entry.operation.name, entry.field.name)
  return reference ? [{ ...entry, reference, outcome: reference.foreign }] : []
})

test.each(owned)("$title of another workspace is $outcome, one's own is taken", async (entry) => {
  const { operation, field, reference, outcome } = entry
  const id = await reference.make(world)
  const shown = new RegExp(`"${field.name.split('.').at(-1)}":"?${id}"?[,}]`)
  for (const face of facesOf(operation)) {
    const stranger = strangers[face]
    const own = await call(stranger, operation, field, reference, face)
    expect(own.status, `${face}, one's own: ${own.text}`).toBeLessThan(300)

    const { status, text } = await call(stranger, operation, field, reference, face, id)
    if (outcome === 'refused') expect([404, 422], `${face}: ${status} ${text}`).toContain(status)
    else expect(status, `${face}: ${text}`).toBeLessThan(300)
    expect(text).not.toContain(secretOf(world))
    if (outcome === 'unheeded') expect(text).not.toMatch(shown)
  }
})

test.each(owned.filter(({ reference }) => reference.ofToken))('$title of another token is refused', async (entry) => {
  const { operation, field, reference } = entry
  const id = await reference.make(world)
  const token = await newTokenFor(world.app.database, world.owner.userId)
  for (const face of facesOf(operation)) {
    const other = worldOf(world, { ...world.owner, token })
    const { status, text } = await call(other, operation, field, reference, face, id)
    expect(status, `${face}: ${text}`).toBe(404)
  }
})
