import type { Logger } from 'pino'
import { unstorable } from '../../api/errors/validation.ts'
import type { Database } from '../../db/client.ts'
import { isObject } from '../../json/object.ts'
import type { Slots } from '../../runtime/slots.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AskReceiver, QuestionOutcome } from '../../webhooks/message.ts'
import { recordQuestion } from '../../webhooks/record-question.ts'
import { askWebhook, type Sender } from '../../webhooks/send.ts'
import { maskedValue } from '../history/mask.ts'
import { ownersOfLive } from './owners.ts'

interface AskParts extends Sender {
  db: Database
  log: Logger
  vault: Vault
  /** How many questions wait at once. */
  slots: Slots
}

const notSent = { outcome: { error: 'Too many servers are asked at once.' }, status: null, sent: false }

/** What a call may keep: a response is held to the bounds of a request's body. */
const storableResponse = (outcome: QuestionOutcome): QuestionOutcome =>
  'body' in outcome && unstorable(outcome.body)
    ? { error: 'The response holds more, or is nested deeper, than can be stored.' }
    : outcome

const masked = (outcome: QuestionOutcome): QuestionOutcome =>
  'body' in outcome ? { body: maskedValue('', outcome.body) } : outcome

/**
 * Asks the servers of simulated calls, for the workspace of the call's assistant, else of its number: one that takes
 * more than its share of what may wait at once gets an error. What was asked and what came of it goes into the log of
 * webhooks.
 */
export function askThrough({ db, log, vault, slots, ...sender }: AskParts): AskReceiver {
  const ownerOf = ownersOfLive(db)
  const record = recordQuestion(db, vault)

  /** The assistant that asks, else the one of the same workspace that the response names. */
  const aboutWhom = async (asker: string | undefined, outcome: QuestionOutcome, workspaceId: number) => {
    if (asker !== undefined) return asker
    const named = 'body' in outcome && isObject(outcome.body) ? outcome.body.assistantId : undefined
    if (typeof named !== 'string' || !uuidPattern.test(named)) return undefined
    return (await ownerOf('assistant', named)) === workspaceId ? named : undefined
  }

  return async (question) => {
    const { assistantId, phoneNumberId, body, url, headers, credentialId, timeoutSeconds } = question
    const own = assistantId === undefined ? undefined : await ownerOf('assistant', assistantId)
    const called = phoneNumberId === undefined ? undefined : await ownerOf('phone-number', phoneNumberId)
    const workspaceId = own ?? called ?? 0
    const webhook = { url, headers, credentialId, timeoutSeconds, payload: body, workspaceId }
    const { status, sent, ...received } = await slots
      .run(workspaceId, async () => ({ ...(await askWebhook(webhook, sender)), sent: true }))
      .catch(() => notSent)
    const outcome = storableResponse(received.outcome)
    try {
      const about = await aboutWhom(assistantId, outcome, workspaceId)
      await record({ question, workspaceId, assistantId: about, sent, status, outcome: masked(outcome) })
    } catch (error) {
      log.warn({ event: 'webhook_unrecorded', err: error, type: question.type }, 'an asked webhook is not in the log')
    }
    return outcome
  }
}
