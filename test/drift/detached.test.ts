import { beforeEach, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string) => rig.data('POST', '/assistants', { name })
const squadOf = async (assistant: Body) => {
  const body = { name: 'Team', members: [{ assistantId: assistant.assistant_id }] }
  const draft = await rig.data('POST', '/squads', body)
  return rig.data('PUT', `/squads/${draft.external_squad_id}`, body)
}
const nowhere = { assistantId: null, squadId: null, workflowId: null }
const targetsOf = (live: Body) => Object.fromEntries(Object.keys(nowhere).map((field) => [field, live[field] ?? null]))

/** Where somebody leads the number outside, and whether its record can say so. */
const places: [where: string, isOwn: boolean, to: () => Promise<Body>][] = [
  ['another assistant', true, async () => ({ assistantId: (await make('Other')).voice_assistant_id })],
  ['a squad', true, async () => ({ squadId: (await squadOf(await make('Member'))).external_squad_id })],
  ['a workflow', true, async () => ({ workflowId: 'flow' })],
  ['a stranger', false, async () => ({ assistantId: (await rig.outside.assistants.create({ name: 'Stranger' })).id })],
  ['nothing', true, async () => ({})],
]

test.each(places.flatMap((place) => ['assistant', 'squad'].map((kind) => [kind, ...place] as const)))(
  'a number whose %s is deleted goes on leading to %s, where somebody led it on the platform (ours: %s)',
  async (kind, where, isOwn, to) => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
    const ann = await make('Ann')
    const squad = kind === 'squad' ? await squadOf(ann) : undefined
    const target = squad ? { voice_squad_id: squad.external_squad_id } : { voice_assistant_id: ann.assistant_id }
    await rig.data('PUT', `/phone-numbers/${number.id}`, target)
    const liveId = String(number.voice_phone_number_id)
    const live = async () => (await rig.outside.phoneNumbers.get(liveId)) as unknown as Body
    const led = { ...nowhere, ...(await to()) }
    if (where !== 'nothing') await rig.outside.phoneNumbers.update(liveId, { provider: 'twilio', ...led } as never)
    await rig.data('DELETE', squad ? `/squads/${squad.external_squad_id}` : `/assistants/${ann.assistant_id}`)
    await rig.app.services.phoneNumbers.work.run()
    expect(targetsOf(await live())).toEqual(led)
    const { assistantId, squadId, workflowId } = isOwn ? led : nowhere
    expect(await rig.data('GET', `/phone-numbers/${number.id}`)).toMatchObject({
      voice_assistant_id: assistantId,
      voice_squad_id: squadId,
      voice_workflow_id: workflowId,
    })
    await rig.settle()
    expect(await rig.sweep()).toEqual([])
    await rig.data('PUT', `/phone-numbers/${number.id}`, { name: 'Desk' })
    expect(targetsOf(await live())).toEqual(led)
  },
)

test.each(['assistant', 'squad'])(
  'a number that is kept leading to a stranger goes on doing so when the %s of its record is deleted, until a save says otherwise',
  async (kind) => {
    const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
    const number = await rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
    const path = `/phone-numbers/${number.id}`
    const ann = await make('Ann')
    const squad = kind === 'squad' ? await squadOf(ann) : undefined
    const target = squad ? { voice_squad_id: squad.external_squad_id } : { voice_assistant_id: ann.assistant_id }
    await rig.data('PUT', path, target)
    const liveId = String(number.voice_phone_number_id)
    const live = async () => targetsOf((await rig.outside.phoneNumbers.get(liveId)) as unknown as Body)
    const led = { ...nowhere, assistantId: (await rig.outside.assistants.create({ name: 'Stranger' })).id }
    await rig.outside.phoneNumbers.update(liveId, { provider: 'twilio', ...led } as never)
    await rig.data('PUT', path, { name: 'Desk' })
    await rig.data('DELETE', squad ? `/squads/${squad.external_squad_id}` : `/assistants/${ann.assistant_id}`)
    await rig.app.services.phoneNumbers.work.run()
    expect(await live()).toEqual(led)
    await rig.settle()
    expect(await rig.sweep()).toEqual([])
    await rig.data('PUT', path, { name: 'Front desk' })
    expect(await live()).toEqual(led)
    await rig.data('PUT', path, { voice_assistant_id: null })
    expect(await live()).toEqual(nowhere)
    expect(await rig.sweep()).toEqual([])
  },
)
