import type { Database } from '../../db/client.ts'
import type { SharedEmbedder } from '../../knowledge/embedder.ts'
import { countTokens } from '../../language-model/tokens.ts'
import { chargeOnly, paidUse } from './paid-use.ts'
import { priceOf } from './price.ts'
import { requireFunds } from './spend.ts'

async function promptOf(texts: readonly string[]): Promise<number> {
  const counts = await Promise.all(texts.map(countTokens))
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * The gate of an embedder that the operator pays for: it works for a workspace that is billed only while that has a
 * balance, and charges it at the price of `model`, if it has one, for the tokens that are counted here. What belongs to
 * a turn is charged with the turn. The embedder that comes with the server has no model, and no gate. Its `embed`
 * throws 402 and 429.
 */
export function paidEmbedder(db: Database, embedder: SharedEmbedder, model: string | undefined): SharedEmbedder {
  if (model === undefined) return embedder
  return {
    ...embedder,
    async embed(texts, order) {
      const { workspaceId: payerWorkspaceId, isOfTurn = false, signal = new AbortController().signal } = order
      const spender = { db, signal, account: undefined }
      if (isOfTurn || !(await priceOf(db, model))) {
        await requireFunds(spender, payerWorkspaceId)
        return embedder.embed(texts, order)
      }
      const usage = { promptTokens: await promptOf(texts), completionTokens: 0 }
      const { vectors } = await paidUse(
        spender,
        { payerWorkspaceId, purpose: 'embeddings', model, estimate: usage, turnId: crypto.randomUUID() },
        async () => ({ vectors: await embedder.embed(texts, order), usage }),
        chargeOnly(spender),
      )
      return vectors
    },
  }
}
