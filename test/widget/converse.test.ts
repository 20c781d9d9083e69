import { expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { newWidget, prompt } from './rig.ts'

test('an installation without a language model answers a visitor with sentences of the prompt', async () => {
  const { db } = await testDatabase()
  const converse = converseThrough({ db, models: createModels(localModel()), slots: createSlots({ total: 10 }) })
  const app = await testApp({}, { converse })
  const path = `/widget/${await (await newWidget(app)).key()}/chat`
  const ask = async (message: string, session_id?: string) =>
    (await app.send('POST', path, { body: { message, session_id } })).json()
  const first = await ask('How much is the rye bread?')
  expect(prompt).toContain(first.reply)
  expect(first.reply).toContain('four euros')
  const second = await ask('What did I ask first?', first.session_id)
  expect(second.reply).toContain('How much is the rye bread?')
  expect((await ask('Do you repair bicycles?')).reply).toMatch(/^I do not know/)
})
