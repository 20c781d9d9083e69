import { beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { nextNumber } from '../support/numbers/numbers.ts'

let app: TestApp
let user: Client & TestUser
beforeAll(async () => {
  app = await testApp()
  user = await newClient(app)
})

const live = (number: string) => app.services.platform.phoneNumbers.findByNumber(number)

test('a number is offered, bought, read by each form of its id, listed, configured and released', async () => {
  const number = nextNumber()
  const bought = await user.post('/phone-numbers', { phone_number: number, name: 'Front' })
  expect(bought.status).toBe(201)
  const { data, ...rest } = bought.body
  expect(rest).toEqual({ success: true, message: 'Phone number purchased successfully' })
  const remote = await live(number)
  expect(remote).toMatchObject({ provider: 'twilio', number, name: 'Front', status: 'active' })
  expect(data).toMatchObject({
    phone_number: number,
    voice_phone_number_id: remote?.id,
    assistant_id: null,
    voice_assistant_id: null,
    voice_squad_id: null,
    voice_workflow_id: null,
    name: 'Front',
    provider: 'twilio',
    fallback_destination: null,
    server: null,
    hooks: [],
    sms_enabled: false,
    static_ip_enabled: false,
    metadata: null,
    user_id: user.userId,
    created_by: user.userId,
    reseller_id: String(user.resellerId),
    assistant: null,
    user: { id: user.userId },
  })
  expect(data).not.toHaveProperty('sms_available')
  expect(data.workspace_id).toMatch(/^[0-9a-f]{8}-/)

  const retrieved = { success: true, data: { ...data, sms_available: true } }
  for (const id of [number, encodeURIComponent(number), number.slice(1), String(data.id)]) {
    expect((await user.get(`/phone-numbers/${id}`)).body, id).toEqual(retrieved)
  }
  expect((await user.get(`/phone-numbers?search=${number.slice(2, 8)}`)).body).toEqual({
    success: true,
    data: [retrieved.data],
    pagination: { current_page: 1, last_page: 1, per_page: 15, total: 1, from: 1, to: 1 },
  })

  const released = await user.send('DELETE', `/phone-numbers/${data.id}`)
  expect(released.body).toEqual({ success: true, message: 'Phone number released successfully' })
  expect(await live(number)).toBeNull()
  expect(await app.services.carrier.find(number)).toBeUndefined()
  const gone = await user.get(`/phone-numbers/${data.id}`)
  expect(gone.status).toBe(404)
  expect(gone.body).toEqual({ success: false, message: 'Phone number configuration not found.' })
  expect((await user.post('/phone-numbers', { phone_number: number })).status).toBe(201)
})
