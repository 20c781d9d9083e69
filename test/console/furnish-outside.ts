import type { Dependencies } from '../../src/app/dependencies.ts'
import { ledger } from '../../src/resources/billing/table.ts'

/** What others did on the voice platform: two greetings are changed, and an assistant is made there. Swept for. */
export async function furnishOutside({ platform, drift }: Dependencies, url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const { data } = await (await fetch(`${url}/assistants?per_page=100`, { headers })).json()
  const changes: Record<string, object> = {
    'After hours': { firstMessage: 'The practice is closed. Who may we call back?', maxDurationSeconds: 900 },
    'Returns and refunds': { firstMessage: 'Good day! What comes back?' },
  }
  for (const { name, voice_assistant_id: id } of data) {
    if (changes[name]) await platform.assistants.update(id, changes[name])
  }
  await platform.assistants.create({ name: 'Switchboard of the old office', firstMessage: 'Who do you want to reach?' })
  await platform.assistants.create({ name: 'Saturday line', firstMessage: 'We are here until one.' })
  await drift.request()
  while ((await drift.progress()).running || (await drift.progress()).requested) await Bun.sleep(200)
}

const dayMs = 86_400_000

/** A month of turns with two models that cost something, beside those of the built-in one, which is free. */
export async function furnishSpend({ db, clock }: Dependencies, workspaceId: number): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, day) =>
    ['gpt-5-mini', 'gpt-5'].map((model, index) => {
      const promptTokens = 9_000 + ((day * 7_919 + index * 4_421) % 24_000)
      const completionTokens = Math.round(promptTokens / 6)
      return {
        workspaceId,
        currency: 'usd' as const,
        kind: 'charge' as const,
        delta: -Math.round((promptTokens * (0.25 + index) + completionTokens * (2 + index * 8)) * (index + 1)),
        turnId: crypto.randomUUID(),
        model,
        promptTokens,
        completionTokens,
        createdAt: new Date(clock.now().getTime() - day * dayMs),
      }
    }),
  )
  await db.insert(ledger).values(rows.flat())
}
