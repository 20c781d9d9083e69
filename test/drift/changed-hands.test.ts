import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser, type TestUser } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

/** What is told of a number is its owner's: who buys it after a release has a record and a live object of his own. */
let rig: DriftRig
let next: TestUser
beforeAll(async () => {
  rig = await createDriftRig()
  next = await newUser(rig.app.database)
})
afterAll(() => rig.stop())

interface Bought {
  id: number
  phone_number: string
  voice_phone_number_id: string
}

const buy = (phone_number: unknown, token?: string) =>
  rig.data<Bought>('POST', '/phone-numbers', { phone_number }, token)

async function bought(): Promise<Bought> {
  const [offer] = await rig.data<Body[]>('GET', '/phone-numbers/available')
  return buy(offer?.phone_number)
}

const change = ({ voice_phone_number_id }: Bought, name: string) =>
  rig.outside.phoneNumbers.update(voice_phone_number_id, {
    provider: 'twilio',
    name,
    server: { url: 'https://former.example/hooks' },
    fallbackDestination: { type: 'number', number: '+14155550199' },
  } as never)

const release = ({ id }: Bought) => rig.data('DELETE', `/phone-numbers/${id}`)
const entries = (token: string, state: string, resource = '') =>
  rig.data<Body[]>('GET', `/drift?state=${state}&per_page=100${resource && `&resource=${resource}`}`, undefined, token)

const before: [string, (number: Bought) => Promise<unknown>][] = [
  ['what a sweep found, and a release ended', () => rig.sweep()],
  ['what a save took on', (number) => rig.data('PUT', `/phone-numbers/${number.id}`, { sms_enabled: true })],
  [
    'what a reconcile took back',
    (number) => rig.data('POST', `/phone-numbers/${number.id}/reconcile`, { keep: 'ours' }),
  ],
  [
    'what a sweep finds as the number is released',
    async (number) => {
      await rig.sweep()
      // Kept after the release, which then ended nothing.
      await rig.app.database.sql.unsafe(`
        create or replace function keep_open() returns trigger language plpgsql as $$ begin return null; end $$;
        create or replace trigger kept before update on drifts for each row
          when (old.live_id = '${number.voice_phone_number_id}') execute function keep_open()`)
    },
  ],
]

test.each(before)('who buys a number after somebody else does not see %s', async (_what, meet) => {
  const operator = await rig.operator()
  const former = await bought()
  await change(former, 'Former owner')
  await meet(former)
  await release(former)
  const number = await buy(former.phone_number, next.token)
  expect(number.phone_number).toBe(former.phone_number)
  for (const state of ['open', 'resolved']) {
    for (const resource of ['', number.phone_number.slice(1), String(number.id), former.voice_phone_number_id]) {
      expect(await entries(next.token, state, resource), `${state} ${resource}`).toEqual([])
    }
  }
  await rig.app.database.sql`drop trigger if exists kept on drifts`
  // A later sweep ends what the release left open.
  await rig.sweep()
  expect(await entries(next.token, 'resolved')).toEqual([])
  expect(await entries(operator, 'resolved', former.voice_phone_number_id)).toHaveLength(1)
  await rig.data('DELETE', `/phone-numbers/${number.id}`, undefined, next.token)
})

test('the owner goes on seeing what was told of a live object that the platform lost', async () => {
  const number = await bought()
  await change(number, 'Outside')
  await rig.sweep()
  await rig.data('PUT', `/phone-numbers/${number.id}`, { name: 'Front desk' })
  await rig.outside.phoneNumbers.delete(number.voice_phone_number_id)
  await rig.sweep()
  const again = await rig.data<Bought>('POST', `/phone-numbers/${number.id}/reconcile`, { keep: 'ours' })
  expect(again.voice_phone_number_id).not.toBe(number.voice_phone_number_id)
  await rig.settle()
  await change(again, 'Outside once more')
  await rig.sweep()
  const told = [
    ...(await entries(rig.user.token, 'open', number.phone_number.slice(1))),
    ...(await entries(rig.user.token, 'resolved', number.phone_number.slice(1))),
  ]
  expect(told.map(({ difference, resolution, voice_id }) => [difference, resolution, voice_id])).toEqual([
    ['changed', null, again.voice_phone_number_id],
    ['missing', 'kept_ours', number.voice_phone_number_id],
    ['changed', 'adopted', number.voice_phone_number_id],
  ])
})
