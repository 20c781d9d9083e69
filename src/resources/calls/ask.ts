import { unstorable } from '../../api/errors/validation.ts'
import type { Slots } from '../../api/rate-limit/slots.ts'
import type { Database } from '../../db/client.ts'
import type { Asked, AskReceiver } from '../../webhooks/message.ts'
import { askWebhook, type Sender } from '../../webhooks/send.ts'
import { ownersOfLive } from './owners.ts'

interface AskParts extends Sender {
  db: Database
  /** How many questions wait at once. */
  slots: Slots
}

const busy = { error: 'Too many servers are asked at once.' }

/** What a call may keep: a response is held to the bounds of a request's body. */
const storableResponse = (asked: Asked): Asked =>
  'body' in asked && unstorable(asked.body)
    ? { error: 'The response holds more, or is nested deeper, than can be stored.' }
    : asked

/**
 * Asks the servers of simulated calls, for the workspace of the call's assistant, else of its number: one that takes more
 * than its share of what may wait at once gets an error.
 */
export function askThrough({ db, slots, ...sender }: AskParts): AskReceiver {
  const ownerOf = ownersOfLive(db)
  return async ({ assistantId, phoneNumberId, body, ...request }) => {
    const own = assistantId === undefined ? undefined : await ownerOf('assistant', assistantId)
    const called = phoneNumberId === undefined ? undefined : await ownerOf('phone-number', phoneNumberId)
    const workspaceId = own ?? called ?? 0
    const webhook = { ...request, payload: body, workspaceId }
    return slots.run(workspaceId, () => askWebhook(webhook, sender)).then(storableResponse, () => busy)
  }
}
