import { eq, sql } from 'drizzle-orm'
import type { Slots } from '../../api/rate-limit/slots.ts'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { countMessages, trimHistory } from '../../language-model/history.ts'
import type { Models } from '../../language-model/models.ts'
import { type Sources, systemPrompt } from '../../language-model/prompt.ts'
import { countTokens } from '../../language-model/tokens.ts'
import { generateTurn } from '../../language-model/turn.ts'
import type { ChatMessage, Converse } from '../../voice-platform/converse.ts'
import { assistants } from '../assistants/table.ts'
import { chargeOnly, paidUse } from '../billing/paid-use.ts'

/** Within the time that a call of the platform may take. */
const replyMs = 18_000
const contextTokens = 16_000
const outputTokens = 1_024

const findPayer = preparedQuery('calls_payer', (db, name) =>
  db
    .select({ workspaceId: assistants.workspaceId })
    .from(assistants)
    .where(eq(assistants.voiceAssistantId, sql.placeholder('remoteId')))
    .prepare(name),
)

/** What replies are made with. */
export interface ConverseParts {
  db: Database
  models: Models
  slots: Slots
}

/**
 * Lets a language model speak for the embedded platform's assistants: the default model of this installation, from the
 * rendered prompt and what was said, paid by the assistant's workspace. Throws GenerationFailedError, also for an
 * assistant that is nobody's; 402 and 429.
 */
export function converseThrough({ db, models, slots }: ConverseParts): Converse {
  const reply = async (messages: readonly ChatMessage[], payerWorkspaceId: number) => {
    const prompt = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    const spoken = messages.filter(({ role }) => role !== 'system')
    const sources: Sources = {
      agentName: 'an assistant',
      description: null,
      instructions: prompt.join('\n\n') || null,
      memory: null,
      passages: [],
      preamble: [],
      workspaceId: payerWorkspaceId,
    }
    const thread = await trimHistory(spoken, contextTokens)
    const signal = AbortSignal.timeout(replyMs)
    const spender = { db, signal, account: undefined }
    const promptTokens = (await countTokens(systemPrompt(sources))) + (await countMessages(thread))
    const { text } = await paidUse(
      spender,
      {
        payerWorkspaceId,
        model: models.default.id,
        estimate: { promptTokens, completionTokens: outputTokens },
        turnId: crypto.randomUUID(),
      },
      (maxOutputTokens) =>
        generateTurn({
          model: models.default,
          sources,
          thread,
          maxOutputTokens,
          times: { totalMs: replyMs, stepMs: replyMs, toolMs: replyMs },
          signal,
        }),
      chargeOnly(spender),
    )
    return text
  }
  return async (messages, assistantId) => {
    const [payer] = assistantId === undefined ? [] : await findPayer(db).execute({ remoteId: assistantId })
    if (!payer) throw new GenerationFailedError('an assistant of nobody')
    return slots.run(payer.workspaceId, () => reply(messages, payer.workspaceId))
  }
}
