import { createCallStore } from '../../src/voice-platform/embedded/calls/store.ts'
import type { PlatformObject } from '../../src/voice-platform/embedded/store/store.ts'
import type { TestApp, TestUser } from '../support/app.ts'

export interface MadeAssistant {
  assistantId: string
  liveId: string
}

/** An assistant made over REST. */
export async function newAssistant(app: TestApp, user: TestUser, body: object = {}): Promise<MadeAssistant> {
  const answer = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Front desk', ...body } })
  const { data, message } = await answer.json()
  if (answer.status !== 201) throw new Error(message)
  return { assistantId: data.assistant_id, liveId: data.voice_assistant_id }
}

/** A call that ended, as the platform keeps it. */
export function endedCall(liveId: string, createdAt: string, seconds: number, body: object = {}): PlatformObject {
  const at = new Date(createdAt)
  return {
    id: crypto.randomUUID(),
    kind: 'call',
    body: {
      type: 'webCall',
      status: 'ended',
      assistantId: liveId,
      startedAt: at.toISOString(),
      endedAt: new Date(at.getTime() + seconds * 1000).toISOString(),
      endedReason: 'customer-ended-call',
      ...body,
    },
    createdAt: at,
    updatedAt: at,
  }
}

/** Puts calls on the embedded platform of an application. */
export async function keepCalls(app: TestApp, calls: PlatformObject[]): Promise<void> {
  const store = createCallStore(app.database.db)
  for (const call of calls) await store.add(call, [])
}
