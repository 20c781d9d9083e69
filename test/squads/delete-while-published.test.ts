import { expect, test } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'

/** A database whose next transaction begins only when it may. */
function gated(db: Database) {
  let gate: { reached: PromiseWithResolvers<void>; open: PromiseWithResolvers<void> } | undefined
  const transaction: Database['transaction'] = async (...work) => {
    const mine = gate
    gate = undefined
    mine?.reached.resolve()
    await mine?.open.promise
    return db.transaction(...work)
  }
  return {
    db: new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') return transaction
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
    close() {
      const made = { reached: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() }
      gate = made
      return { reached: made.reached.promise, open: made.open.resolve }
    },
  }
}

test('a draft that is published while it is deleted leaves no squad on the voice platform', async () => {
  const database = await testDatabase()
  const gate = gated(database.db)
  const app = await testApp({ database: { ...database, db: gate.db } })
  const { send, data } = await newClient(app)
  const assistant = await data('POST', '/assistants', { name: 'Member' })
  const body = { name: 'Team', members: [{ assistantId: assistant.assistant_id }] }
  const draft = await data('POST', '/squads', body)
  const path = `/squads/${draft.external_squad_id}`

  const { reached, open } = gate.close()
  const deleting = send('DELETE', path)
  await reached
  const published = await send('PUT', path, body)
  expect(published.status).toBe(200)
  open()
  expect((await deleting).status).toBe(200)
  expect(await data('GET', '/squads')).toEqual([])
  await expect(app.services.platform.squads.get(published.body.data.external_squad_id)).rejects.toMatchObject({
    kind: 'not_found',
  })
})
