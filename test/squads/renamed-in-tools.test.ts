import { beforeEach, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string) => rig.data('POST', '/assistants', { name })
const to = (assistantName: string) => ({ type: 'assistant', assistantName })

/** A tool that hands calls over to Bob. */
async function handOff(scope: 'own' | 'global') {
  const owner = scope === 'own' ? { owner_id: rig.user.userId } : {}
  const definition = { destinations: [to('Bob'), to('Eve')] }
  const entry = { label: 'Hand over', description: 'To Bob.', type: 'handoff', scope, ...owner, definition }
  return rig.data('POST', '/admin/tools', entry, await rig.operator())
}

async function publish(name: string, ...members: Body[]) {
  const body = { name, members: members.map(({ assistant_id: assistantId }) => ({ assistantId })) }
  const draft = await rig.data('POST', '/squads', body)
  return rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
}

/** Whom the tool names, in its entry and on the platform. */
async function named({ id }: Body) {
  const entry = await rig.data('GET', `/admin/tools/${id}`, undefined, await rig.operator())
  const live = (await rig.outside.tools.get(String(id))) as unknown as Body
  return [entry.definition, live].map((body) =>
    (body as { destinations: { assistantName: string }[] }).destinations.map(({ assistantName }) => assistantName),
  )
}

/** Who else uses the tool when Bob, a member beside Ann who has it, is renamed. */
const cases: [
  what: string,
  scope: 'own' | 'global',
  others: (tool: Body, ann: Body) => Promise<unknown>,
  now: string,
][] = [
  ['a tool of its owner', 'own', async () => {}, 'Robert'],
  ["everybody's tool", 'global', async () => {}, 'Bob'],
  [
    'a tool with which another squad means its own Bob',
    'own',
    async (_tool, ann) => publish('Night', ann, await make('Bob')),
    'Bob',
  ],
  [
    'a tool that a squad without a Bob has as well',
    'own',
    async (_tool, ann) => publish('Night', ann, await make('Carl')),
    'Robert',
  ],
]

test.each(cases)('a member that is renamed, as %s names it (squads 19)', async (...one) => {
  const [, scope, others, now] = one
  const [ann, bob, tool] = [await make('Ann'), await make('Bob'), await handOff(scope)]
  await rig.data('PUT', `/assistants/${ann.assistant_id}`, { name: 'Ann', model: { toolIds: [tool.id] } })
  await publish('Day', ann, bob)
  await others(tool, ann)
  await rig.data('PUT', `/assistants/${bob.assistant_id}`, { name: 'Robert' })
  await rig.settle()
  expect(await named(tool)).toEqual([
    [now, 'Eve'],
    [now, 'Eve'],
  ])
  expect(await rig.sweep()).toEqual([])
})

test('a tool that no squad of the renamed assistant uses stays as it is', async () => {
  const [ann, bob, tool] = [await make('Ann'), await make('Bob'), await handOff('own')]
  await publish('Day', ann, bob)
  await rig.data('PUT', `/assistants/${bob.assistant_id}`, { name: 'Robert' })
  await rig.settle()
  expect(await named(tool)).toEqual([
    ['Bob', 'Eve'],
    ['Bob', 'Eve'],
  ])
})
