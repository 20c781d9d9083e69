import type { Database } from '../../db/client.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { modelLibrary } from '../../language-model/library.ts'
import type { Models } from '../../language-model/models.ts'
import { planTurn, toolsFor } from '../../language-model/plan.ts'
import type { Sources } from '../../language-model/prompt.ts'
import { defaultTurnSettings } from '../../language-model/settings.ts'
import type { OpenTools } from '../../language-model/toolbox.ts'
import { generateTurn } from '../../language-model/turn.ts'
import type { Slots } from '../../runtime/slots.ts'
import type { CallableTool, ChatMessage, Converse, KeepReply, Reader, Speaker } from '../../voice-platform/converse.ts'
import { paidUse } from '../billing/paid-use.ts'
import { settle } from '../billing/spend.ts'
import { ownersOfLive } from './owners.ts'

/** Within the time that a call of the platform may take. */
const replyMs = 18_000
/** A little more than what asking a tool's server may take. */
const toolMs = 11_000
/** What is said at once; a model may be held to less. */
const maxOutputTokens = 1_024

/** What replies are made with. */
export interface ConverseParts {
  db: Database
  models: Models
  slots: Slots
}

/**
 * The tools of a speaker as the model calls them; a call that takes longer than `toolMs` ends in an error for the
 * model.
 */
async function openTools(tools: readonly CallableTool[]): Promise<OpenTools | undefined> {
  if (tools.length === 0) return undefined
  const { dynamicTool, jsonSchema } = await modelLibrary()
  const entries = tools.map(({ name, description, parameters, call }) => {
    const execute = (input: unknown) => call(input)
    return [name, dynamicTool({ description, inputSchema: jsonSchema(parameters), execute })] as const
  })
  return { tools: Object.fromEntries(entries), nameOf: (name) => name, close: async () => {} }
}

/**
 * Lets a language model speak for the embedded platform's assistants: the default model of this installation, from the
 * rendered prompt and what was said, paid by the assistant's workspace, within the budgets of whoever asked for the
 * call. A reply that its reader keeps is charged in the same transaction. Throws GenerationFailedError, also for an
 * assistant that is nobody's; 402 and 429.
 */
export function converseThrough({ db, models, slots }: ConverseParts): Converse {
  const payerOf = ownersOfLive(db)
  const chargeOnly: KeepReply = async (_, charge) => void (await db.transaction(charge))
  const reply = async (
    messages: readonly ChatMessage[],
    payerWorkspaceId: number,
    { tools = [], as, onPhone, asker }: Speaker,
    { onText, signal: left, keep = chargeOnly }: Reader,
  ) => {
    const model = models.default
    const open = await toolsFor(model, () => openTools(tools))
    const prompt = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
    const spoken = messages.filter(({ role }) => role !== 'system')
    const sources: Sources = {
      agentName: as ?? 'an assistant',
      description: null,
      instructions: prompt.join('\n\n') || null,
      memory: null,
      passages: [],
      preamble: [],
      ...(onPhone && { onPhone }),
      workspaceId: payerWorkspaceId,
    }
    const wanted = { model, sources, thread: spoken, tools: open, maxOutputTokens }
    const { turn, cost } = await planTurn(wanted, defaultTurnSettings)
    const late = AbortSignal.timeout(replyMs)
    const signal = left ? AbortSignal.any([late, left]) : late
    const spender = { db, signal, account: asker }
    const { text } = await paidUse(
      spender,
      {
        payerWorkspaceId,
        purpose: 'reply',
        model: model.id,
        ...cost,
        turnId: crypto.randomUUID(),
      },
      (allowance) =>
        generateTurn({
          ...turn,
          allowance,
          times: { totalMs: replyMs, stepMs: replyMs, toolMs },
          signal,
          onText,
        }),
      async (result, hold) => {
        // Who left before it was charged is not charged.
        signal.throwIfAborted()
        await keep(result.text, (tx) => settle(tx, hold, result.usage))
        return result
      },
    )
    return text
  }
  return async (messages, speaker, reader = {}) => {
    const { assistantId, phoneNumberId } = speaker
    const payer = assistantId === undefined ? undefined : await payerOf('assistant', assistantId)
    const workspaceId =
      payer ?? (phoneNumberId === undefined ? undefined : await payerOf('phone-number', phoneNumberId))
    if (workspaceId === undefined) throw new GenerationFailedError('an assistant of nobody')
    return slots.run(workspaceId, () => reply(messages, workspaceId, speaker, reader))
  }
}
