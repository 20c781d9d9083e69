import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { singleFlight } from '../../api/stream/single-flight.ts'
import { whenUndelivered } from '../../api/stream/undelivered.ts'
import { type Lease, LeaseLostError, LeaseTimeoutError, withLease } from '../../db/lease/lease.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { countMessages, type ThreadMessage } from '../../language-model/history.ts'
import type { KnowledgeQuestion } from '../../language-model/knowledge.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import { planTurn, toolsFor } from '../../language-model/plan.ts'
import { withSearch } from '../../language-model/search-tool.ts'
import type { OpenTools } from '../../language-model/toolbox.ts'
import { generateTurn } from '../../language-model/turn.ts'
import { paidUse } from '../billing/paid-use.ts'
import { payerOf } from '../billing/payer.ts'
import { withoutForgotten } from '../memory/forgotten.ts'
import { citationsIn } from './citations.ts'
import { readThread } from './list.ts'
import { findRepeated, findTaken, markUndelivered } from './repeats.ts'
import { storeTurn, type TakenTurn, type TurnOrder } from './store.ts'

/** A turn, for all that asked for it at once. */
interface SharedTurn {
  taken: TakenTurn
  /** Notes that it did not reach one of them: who sends the same again finds it once it reached none. */
  lose?: (caller: object) => Promise<void>
}

/** A client that gave up and sent the same message again gets the first one's response. */
const joinOrRun = singleFlight<SharedTurn>()

/** What the same turn, sent again by the same token, has in common with the first. */
const hashOf = (ctx: AccountContext, { agent, chat, model, added, wish, saysWhyItEnds }: TurnOrder) => {
  const turn = [ctx.account.tokenId, agent.row.id, chat?.id, model.id, added, wish]
  // A message's is the one that earlier releases made.
  const text = JSON.stringify(saysWhyItEnds ? [...turn, true] : turn)
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** The newest user message of a thread, and the one before it, which may name what it is about. */
function questionIn(thread: readonly ThreadMessage[]): KnowledgeQuestion {
  const [query = '', context] = thread
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .reverse()
  return { query, context }
}

/** Whether a server may have refused a turn for its tools alone: the built-in one is not worth the turn. */
const refusesTools = (error: unknown, { tools }: OpenTools): boolean =>
  error instanceof GenerationFailedError && / 400$/.test(error.reason) && Object.keys(tools).length === 0

/** Runs the model and stores the turn; a failure stores and charges nothing. */
async function runTurn(
  ctx: AccountContext,
  order: TurnOrder,
  lease: Lease | undefined,
  signal: AbortSignal,
): Promise<TakenTurn> {
  const { agent, chat, model, added, wish = {}, saysWhyItEnds: mayBeEmpty } = order
  const { sampling, format } = wish
  const { times, timeZone } = ctx.turns
  const sentAt = ctx.clock.now()
  const ref = { id: agent.row.id, agentId: agent.row.agentId, workspaceId: ctx.account.workspaceId }
  // The built-in model quotes messages, and no summary of them (contract: chats 16).
  const { summary = null, summaryUntil = null } = model.id === localModelId ? {} : (chat ?? {})
  const earlier = async () => (chat ? readThread(ctx.db, { id: chat.id, summaryUntil }) : [])
  // Some servers refuse a message without a text, as a reply has that was cut before its first word.
  const reading = earlier().then((read) => [...read, ...added].filter(({ content }) => content.trim() !== ''))
  const asking = reading.then(questionIn)
  // Not waited for where there is nothing to search.
  asking.catch(() => {})
  const payerWorkspaceId = ctx.account.workspaceId
  const [thread, passages, payer, ownTools] = await Promise.all([
    reading,
    ctx.knowledge.search(ref, asking, signal),
    payerOf(ctx, payerWorkspaceId, { agentId: agent.row.id, tokenId: ctx.account.tokenId ?? undefined }),
    toolsFor(model, () => ctx.toolbox.open(ref, signal)),
  ])
  const found = [...passages]
  const searchAgain = async (query: string) => {
    const more = await ctx.knowledge.search(ref, { query }, signal)
    found.push(...more)
    return more
  }
  // An agent whose files hold nothing at all for a question has none.
  const searches = model.callsTools !== false && model.searchesAgain !== false && passages.length > 0
  const tools = searches ? await withSearch(ownTools, searchAgain) : ownTools
  try {
    const { name: agentName, description, instructions, memory } = agent.row
    const sources = {
      ...{ agentName, description, instructions, memory, passages, summary, preamble: [] },
      workspaceId: ref.workspaceId,
      now: { at: sentAt, timeZone },
    }
    const heard = model.id === localModelId ? withoutForgotten(thread) : thread
    const wanted = { model, sources, thread: heard, tools, format, maxOutputTokens: wish.maxOutputTokens }
    const { turn, threadTokens, cost } = await planTurn(wanted, ctx.turns)
    const taken = await paidUse(
      { ...ctx, signal },
      {
        payerWorkspaceId,
        payer,
        agentId: agent.row.id,
        model: model.id,
        ...cost,
        turnId: crypto.randomUUID(),
      },
      (allowance) => {
        // A turn that is refused for its tools is made again within the same time.
        const ending = AbortSignal.any([signal, AbortSignal.timeout(times.totalMs)])
        const asked = { ...turn, allowance, sampling, mayBeEmpty, times, signal: ending, onText: ctx.onText }
        const generate = (offered: OpenTools) => generateTurn({ ...asked, tools: offered })
        return generate(tools).catch((error) => {
          if (searches && refusesTools(error, ownTools)) return generate(ownTools)
          throw error
        })
      },
      (result, hold) => {
        const turnId = ctx.idempotencyId ?? hold.turnId
        const citations = citationsIn(result.text, found)
        return storeTurn(ctx, order, { turnId, sentAt, result, citations, hold, lease, signal })
      },
    )
    if (chat) {
      const read = { messages: thread.length, tokens: await countMessages(thread) }
      ctx.summaries.keep({ chatId: chat.id, model, threadTokens, account: ctx.account }, read)
    }
    return taken
  } finally {
    await ownTools.close()
  }
}

/**
 * A turn of a thread that nobody else has right now, or of a fresh one.
 * @param hash under which a repeat of it is found; undefined where its Idempotency-Key finds it
 * @param count how many get the response
 */
async function serialised(
  ctx: AccountContext,
  order: TurnOrder,
  hash: string | undefined,
  signal: AbortSignal,
  count = () => 1,
): Promise<SharedTurn> {
  const warn = (err: unknown) =>
    ctx.log.warn({ event: 'undelivered_unmarked', requestId: ctx.requestId, err }, 'an unread turn was not marked')
  const take = async (lease: Lease | undefined): Promise<SharedTurn> => {
    const repeated = hash !== undefined && (await findRepeated(ctx, order, hash))
    if (repeated) return { taken: repeated }
    const ending = lease ? AbortSignal.any([signal, lease.signal]) : signal
    const run = () => runTurn(ctx, order, lease, ending)
    const taken = await ctx.turnSlots.run(ctx.account.workspaceId, run)
    if (hash === undefined) return { taken }
    if (signal.aborted) {
      await markUndelivered(ctx, taken, hash)
      return { taken }
    }
    const lost = new Set<object>()
    const lose = async (caller: object) => {
      // A second word of the same loss comes when the turn may have been found already.
      if (lost.has(caller)) return
      if (lost.add(caller).size === count()) await markUndelivered(ctx, taken, hash).catch(warn)
    }
    return { taken, lose }
  }
  if (!order.chat) return take(undefined)
  const { queueMs: waitMs, leaseMs: ttlMs } = ctx.turns
  return withLease(ctx.db, `chat:${order.chat.id}`, { ttlMs, waitMs, signal }, take)
}

const busySeconds = 5

/** What ends a turn, as the error of its callers. */
function failureOf(error: unknown, { signal, ending }: AccountContext): unknown {
  if (error instanceof ApiError) return error
  if (ending.aborted && !signal.aborted) return new ApiError('service_unavailable', { cause: error })
  if (error instanceof GenerationFailedError) return error
  if (error instanceof LeaseTimeoutError) {
    return new ApiError('too_many_requests', { headers: { 'retry-after': String(busySeconds) } })
  }
  if (error instanceof LeaseLostError) return new GenerationFailedError('lost the chat to another server', error)
  return signal.aborted ? new GenerationFailedError('the client went away', error) : error
}

/**
 * Takes a turn of an assistant: one at a time per chat. The messages, the reply and the charge are stored together
 * once it has succeeded; whatever fails leaves nothing. An identical message to the same chat joins the turn that runs.
 * Throws GenerationFailedError; 402, 422 on `model` and 429 of billing; 429 when the chat stays busy, and when too many
 * turns run; 404 when agent or chat are deleted meanwhile; 503 when the server stops.
 */
export async function takeTurn(ctx: AccountContext, order: TurnOrder): Promise<TakenTurn> {
  const { idempotencyId } = ctx
  const find = async () => (idempotencyId === undefined ? undefined : findTaken(ctx, idempotencyId))
  const before = await find()
  if (before) return before
  try {
    const hash = idempotencyId === undefined ? hashOf(ctx, order) : undefined
    const waiting = { signal: AbortSignal.any([ctx.signal, ctx.ending]), onText: ctx.onText }
    const { taken, lose } =
      order.chat && hash !== undefined
        ? await joinOrRun(ctx.db, hash, waiting, ({ signal, onText, count }) =>
            serialised({ ...ctx, onText }, order, hash, signal, count),
          )
        : await serialised(ctx, order, hash, waiting.signal)
    const caller = {}
    if (ctx.signal.aborted) await lose?.(caller)
    else if (lose) whenUndelivered(ctx.outcome, () => lose(caller))
    const { userMessage, memoryTimes } = taken
    if (order.agent.access !== 'view') ctx.memory.learn(order.agent.row.id, userMessage.content, memoryTimes)
    return taken
  } catch (error) {
    // Another server may have taken the request over, and the turn.
    const meanwhile = await find().catch(() => undefined)
    if (meanwhile) return meanwhile
    const failure = failureOf(error, ctx)
    if (failure instanceof GenerationFailedError) {
      ctx.log.warn(
        { event: 'generation_failed', requestId: ctx.requestId, model: order.model.id, reason: failure.reason },
        'generation failed',
      )
    }
    throw failure
  }
}
