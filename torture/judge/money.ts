import { paymentMicroUsd, questionOf } from '../clients/turns.ts'
import { firstCredit, type World } from '../clients/world.ts'
import type { Ask } from '../server/inspect.ts'
import { describe } from './writes.ts'

/** How long a hold outlives the process that died with it, in seconds. */
const holdSeconds = 330

interface Sums {
  balance: string
  held: string
  credits: string
  charges: string
  holds: string
  stale: string
}

const sumsOf = (workspace: number) => `
  select w.balance, w.held,
    (select coalesce(sum(delta), 0) from ledger l where l.workspace_id = w.workspace_id and kind = 'credit') as credits,
    (select coalesce(sum(delta), 0) from ledger l where l.workspace_id = w.workspace_id and kind = 'charge') as charges,
    (select coalesce(sum(amount), 0) from holds h where h.workspace_id = w.workspace_id) as holds,
    (select count(*) from holds h where h.workspace_id = w.workspace_id
      and h.created_at < now() - interval '${holdSeconds} seconds') as stale
  from wallets w where w.workspace_id = ${workspace} and w.currency = 'usd'`

/** What the replies say that they cost, in micro-dollars, and the charges. */
const chargesOf = (workspace: number, agentId: string) => `
  select (select count(*) from ledger l where l.workspace_id = ${workspace} and l.kind = 'charge') as charges,
    count(*) as replies,
    coalesce(sum(round((m.generation->'wallet'->>'charged_usd')::numeric * 1000000)), 0) as told
  from messages m join chats c on c.id = m.chat_id join agents a on a.id = c.agent_id
  where a.agent_id = '${agentId}' and m.role = 'assistant'`

const turns = (agentId: string) => `
  select m.content, count(*) as times,
    count(*) filter (where (select count(*) from messages o where o.turn_id = m.turn_id) = 2) as answered
  from messages m join chats c on c.id = m.chat_id join agents a on a.id = c.agent_id
  where a.agent_id = '${agentId}' and m.role = 'user' group by m.content`

/** What is wrong with the workspace's money: sums, holds, and turns against charges. */
export async function judgeMoney({ mirrored, agentId, book }: World, ask: Ask): Promise<string[]> {
  const { workspaceId } = mirrored
  const wrong: string[] = []
  const [sums] = await ask<Sums>(sumsOf(workspaceId))
  if (!sums) return [`workspace ${workspaceId} has no wallet`]
  const [balance, held, credits, charges, holds] = [
    sums.balance,
    sums.held,
    sums.credits,
    sums.charges,
    sums.holds,
  ].map(Number)
  if (balance !== (credits ?? 0) + (charges ?? 0)) wrong.push(`balance ${balance} is not ${credits} ${charges}`)
  if ((balance ?? 0) < 0) wrong.push(`balance ${balance} is overdrawn`)
  if (held !== holds) wrong.push(`held ${held} is not the sum of the holds, ${holds}`)
  if (Number(sums.stale) > 0) wrong.push(`${sums.stale} holds outlived their turns`)

  const payments = book.of('credit')
  const least = payments.filter(({ outcome }) => outcome === 'done').length
  const most = least + payments.filter(({ outcome }) => outcome === 'unknown').length
  const paid = ((credits ?? 0) - firstCredit * 1_000_000) / paymentMicroUsd
  if (paid < least || paid > most) wrong.push(`${paid} payments were credited, ${least} to ${most} were made`)

  const [told] = await ask<{ charges: string; replies: string; told: string }>(chargesOf(workspaceId, agentId))
  if (told?.charges !== told?.replies) wrong.push(`${told?.charges} charges for ${told?.replies} replies`)
  if (Number(told?.told) !== -(charges ?? 0)) wrong.push(`charged ${charges}, told ${told?.told}`)
  const stored = await ask<{ content: string; times: string; answered: string }>(turns(agentId))
  const byContent = new Map(stored.map((row) => [row.content, row]))
  for (const write of book.of('turn')) {
    if (write.action === 'create') continue
    const { times, answered } = byContent.get(questionOf(write.token)) ?? { times: 0, answered: 0 }
    if (Number(times) !== Number(answered))
      wrong.push(`stored ${times} times, answered ${answered}: ${describe(write)}`)
    if (Number(times) > 1) wrong.push(`taken ${times} times: ${describe(write)}`)
    if (write.outcome === 'done' && Number(times) === 0) wrong.push(`not stored: ${describe(write)}`)
    if (write.outcome === 'refused' && Number(times) > 0) wrong.push(`stored: ${describe(write)}`)
  }
  return wrong
}
