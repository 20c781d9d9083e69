import { expect } from 'vitest'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import type { Caller } from '../admin/caller.ts'
import { storedAssistant } from '../support/rows/assistants.ts'
import type { Rig } from './rig.ts'

type Json = Record<string, unknown>
interface Told {
  id: number
  summary: string
  changes: { path: string; from?: unknown; to?: unknown }[]
}
interface Message {
  role: string
  content: string
}

/** An assistant that v2 built of a body, and what its editors do with it and show of it. */
export async function builtAssistant(rig: Rig, user: Caller, body: object) {
  const made = await user.send('POST', '/v2/assistants', { name: 'Desk', ...body })
  expect(made.status).toBe(201)
  const id = String(made.body.data.assistant_id)
  const liveId = String(made.body.data.voice_assistant_id)
  const row = () => storedAssistant(rig.app.database, id)
  const record = async () => (await user.send('GET', `/assistants/${id}`)).body.data as Json & { model: Json }
  const live = async () => (await rig.app.services.platform.assistants.get(liveId)) as unknown as Json & { model: Json }
  const entries = async () => (await user.send('GET', `/assistants/${id}/update-log`)).body.data as unknown as Told[]
  const rebuild = (sent: object) => user.send('PUT', `/v2/assistants/${id}`, sent)
  return {
    id,
    row,
    record,
    live,
    entries,
    rebuild,
    edit: (at: string, sent: object) => user.send('PUT', `/assistants/${id}${at}`, { name: 'Desk', ...sent }),
    /** The messages, which the record and the live object have alike. */
    async messages(): Promise<Message[]> {
      const shown = (await record()).model.messages as Message[]
      expect((await live()).model.messages).toEqual(shown)
      return shown
    },
    /** Holds that a rebuild that says nothing changes neither side, and that both agree. */
    async settled() {
      const [before, number] = [configurationOf(await row()), (await entries()).length]
      expect((await rebuild({})).status).toBe(200)
      expect(configurationOf(await row())).toEqual(before)
      expect(await entries()).toHaveLength(number)
      expect(liveDiffers((await row()).live, (await live()) as never)).toEqual([])
    },
  }
}
