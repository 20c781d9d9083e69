import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { liveNumberBody } from '../../../src/resources/phone-numbers/read/record.ts'
import { phoneNumbers } from '../../../src/resources/phone-numbers/table.ts'
import { squads } from '../../../src/resources/squads/table.ts'
import { liveDiffers } from '../../../src/voice-platform/mirror/live-differs.ts'
import { newUser, type TestApp, type TestUser, type UserOptions } from '../app.ts'
import { nextNumber } from './numbers.ts'

/** A caller, and what it has. */
export interface Caller extends TestUser {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The `data` of an answer that must have this status. */
  data(status: number, method: string, path: string, body?: unknown): Promise<Record<string, never>>
  assistant(name?: string): Promise<{ id: number; assistant_id: string; voice_assistant_id: string; name: string }>
  /** A bought number that is registered. */
  number(): Promise<{ id: number; phone_number: string; voice_phone_number_id: string }>
  squad(members: string[]): Promise<{ external_squad_id: string }>
}

/** A user of its own workspace, or as the options say. */
export async function caller(app: TestApp, options: UserOptions = {}): Promise<Caller> {
  const user = await newUser(app.database, options)
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    app.send(method, path, { token: user.token, body, headers })
  const data = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body)
    const read = await answer.json()
    expect(answer.status, JSON.stringify(read)).toBe(status)
    return read.data
  }
  let made = 0
  return {
    ...user,
    send,
    data,
    assistant: (name = `Assistant ${++made}`) => data(201, 'POST', '/assistants', { name }),
    number: () => data(201, 'POST', '/phone-numbers', { phone_number: nextNumber() }),
    async squad(members) {
      const draft: { external_squad_id: string } = await data(201, 'POST', '/squads', { name: 'Team', members: [] })
      const body = { name: 'Team', members: members.map((assistantId) => ({ assistantId })) }
      return data(200, 'PUT', `/squads/${draft.external_squad_id}`, body)
    },
  }
}

/** Where a number's two sides are apart, or what is still to be told; empty when they agree. */
export async function apart(app: TestApp, number: string): Promise<string[]> {
  const [row] = await app.database.db.select().from(phoneNumbers).where(eq(phoneNumbers.phoneNumber, number))
  const live = await app.services.platform.phoneNumbers.findByNumber(number)
  if (!row || !live) return row || live ? ['only one side has it'] : []
  if (row.syncDueAt !== null) return ['it is still to be told']
  if (row.voicePhoneNumberId !== live.id) return ['the ids differ']
  return liveDiffers(liveNumberBody(row), live)
}

/** The same for a published squad. */
export async function squadApart(app: TestApp, id: string): Promise<string[]> {
  const [row] = await app.database.db
    .select()
    .from(squads)
    .where(and(eq(squads.externalSquadId, id), eq(squads.status, 'published')))
  const live = await app.services.platform.squads.get(id).catch(() => undefined)
  if (!row?.live || !live) return row || live ? ['only one side has it'] : []
  return liveDiffers(row.live, live)
}
