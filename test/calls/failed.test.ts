import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { caller } from '../support/numbers/rig.ts'

test('a call that goes wrong ends, and the server hears why', async () => {
  const why = new Error('The database is gone.')
  const heard: [string, unknown][] = []
  const ask = () => Promise.reject(why)
  const app = await testApp({}, { ask, callFailed: (error, callId) => heard.push([callId, error]) })
  const me = await caller(app)
  const { phone_number, voice_phone_number_id: phoneNumberId } = await me.number()
  await me.data(200, 'PUT', `/phone-numbers/${phone_number}`, { server: { url: 'https://hooks.example.com/calls' } })
  const made = await app.services.platform.simulation?.run({ phoneNumberId, messages: ['Hi'] })
  expect(made?.endedReason).toBe('call.in-progress.error-vapifault-worker-died')
  expect(heard).toEqual([[made?.id, why]])
})
