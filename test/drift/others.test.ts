import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const make = (name: string) => rig.data('POST', '/assistants', { name })

async function squadOf(...members: Body[]) {
  const draft = await rig.data('POST', '/squads', { name: 'Team', members: [] })
  return rig.data('PUT', `/squads/${draft.external_squad_id}`, {
    name: 'Team',
    members: members.map(({ assistant_id: assistantId }, x) => ({ assistantId, position: { x, y: 0 } })),
  })
}

async function buy() {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  return rig.data('POST', '/phone-numbers', { phone_number: offer?.phone_number })
}

describe('a squad that somebody changed on the platform', () => {
  test('keeps what a save does not set', async () => {
    const [ann, bob] = [await make('Ann'), await make('Bob')]
    const squad = await squadOf(ann, bob)
    const id = String(squad.external_squad_id)
    const { members } = await rig.outside.squads.get(id)
    await rig.outside.squads.update(id, {
      members,
      membersOverrides: { firstMessage: 'Team speaking', variableValues: { city: 'Austin' } },
    } as never)
    const saved = await rig.data('PUT', `/squads/${id}`, { name: 'Crew', members: squad.members as Body[] } as Body)
    expect(saved).toMatchObject({
      name: 'Crew',
      members_overrides: { firstMessage: 'Team speaking' },
      variable_values: { city: 'Austin' },
    })
    expect(await rig.outside.squads.get(id)).toMatchObject({
      name: 'Crew',
      membersOverrides: {
        firstMessage: 'Team speaking',
        variableValues: { city: 'Austin' },
        metadata: { external_ref: expect.any(String) },
      },
    })
    expect(await rig.sweep()).toEqual([])
  })
})

describe('a number that somebody changed on the platform', () => {
  const liveOf = (number: Body) => String(number.voice_phone_number_id)
  const provider = 'twilio' as const

  test('keeps what a save does not set, and assistants follow its target', async () => {
    const ann = await make('Ann')
    const number = await buy()
    await rig.data('PUT', `/phone-numbers/${number.id}`, { server: { url: 'https://a.example', secret: 's3cret' } })
    const { server } = await rig.outside.phoneNumbers.get(liveOf(number))
    await rig.outside.phoneNumbers.update(liveOf(number), {
      provider,
      assistantId: String(ann.voice_assistant_id),
      server: { ...server, timeoutSeconds: 44 },
    } as never)
    const saved = await rig.data('PUT', `/phone-numbers/${number.id}`, { name: 'Front desk' })
    expect(saved).toMatchObject({
      name: 'Front desk',
      voice_assistant_id: ann.voice_assistant_id,
      server: { url: 'https://a.example', secret: 's3cret', timeoutSeconds: 44 },
    })
    expect(await rig.data('GET', `/assistants/${ann.assistant_id}`)).toMatchObject({
      phone_number: number.phone_number,
    })
    expect(await rig.outside.phoneNumbers.get(liveOf(number))).toMatchObject({
      name: 'Front desk',
      assistantId: ann.voice_assistant_id,
      server: { timeoutSeconds: 44, headers: { 'X-Vapi-Secret': 's3cret' } },
    })
    expect(await rig.sweep()).toEqual([])
  })

  test('keeps a target that is nobody of its account, until a save names another one', async () => {
    const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
    const [ann, number] = [await make('Ann'), await buy()]
    await rig.outside.phoneNumbers.update(liveOf(number), { provider, assistantId: stranger.id })
    expect(await rig.data('PUT', `/phone-numbers/${number.id}`, { name: 'A' })).toMatchObject({
      voice_assistant_id: null,
    })
    expect(await rig.outside.phoneNumbers.get(liveOf(number))).toMatchObject({ name: 'A', assistantId: stranger.id })
    await rig.data('PUT', `/phone-numbers/${number.id}`, { voice_assistant_id: ann.assistant_id })
    expect(await rig.outside.phoneNumbers.get(liveOf(number))).toMatchObject({ assistantId: ann.voice_assistant_id })
    expect(await rig.sweep()).toEqual([])
  })

  test('is told what its record lost meanwhile all the same', async () => {
    const [ann, number] = [await make('Ann'), await buy()]
    await rig.data('PUT', `/phone-numbers/${number.id}`, { voice_assistant_id: ann.assistant_id })
    await rig.outside.phoneNumbers.update(liveOf(number), { provider, name: 'Outside' })
    expect((await rig.send('DELETE', `/assistants/${ann.assistant_id}`)).status).toBe(200)
    const live = (await rig.outside.phoneNumbers.get(liveOf(number))) as unknown as Body
    expect(live).toMatchObject({ name: 'Outside' })
    expect(live.assistantId ?? null).toBeNull()
    expect(await rig.data('GET', `/phone-numbers/${number.id}`)).toMatchObject({
      name: 'Outside',
      voice_assistant_id: null,
    })
    expect(await rig.sweep()).toEqual([])
  })
})

test("a number that is there as recorded, although the commit that said so failed, counts as nobody's change", async () => {
  const { sql } = rig.app.database
  const ann = await make('Ann')
  const number = await buy()
  await rig.data('PUT', `/phone-numbers/${number.id}`, { voice_assistant_id: ann.assistant_id })
  expect(await rig.sweep()).toEqual([])
  await sql.unsafe(`
    create function fail_synced() returns trigger language plpgsql as $$ begin raise exception 'no commit today'; end $$;
    create constraint trigger broken after update of last_synced_at on phone_numbers deferrable initially deferred
      for each row when (new.last_synced_at is distinct from old.last_synced_at) execute function fail_synced();`)
  try {
    await rig.data('DELETE', `/assistants/${ann.assistant_id}`)
    await rig.settle()
    expect(await rig.outside.phoneNumbers.get(String(number.voice_phone_number_id))).not.toHaveProperty('assistantId')
    expect(await rig.sweep()).toEqual([])
  } finally {
    await sql.unsafe('drop trigger broken on phone_numbers; drop function fail_synced()')
  }
})
