import { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { inputError } from '../../../api/errors/validation.ts'
import { mergedWithLive } from '../outside/merged.ts'
import type { AssistantRowData } from '../read/find.ts'
import { MetadataBody } from './schema.ts'

const Settable = z.object({ metadata: MetadataBody.pick({ webhook_url: true }) })

/**
 * Lets an update repeat the `webhook_url` that an assistant has, as it is stored or on the live platform, which may be
 * longer than one that metadata sets (contract: assistants 44). Throws 422 for any other that is too long.
 */
export async function requireSettableUrl(
  ctx: AccountContext,
  stored: AssistantRowData,
  metadata: { webhook_url?: string | null | undefined } | null | undefined,
): Promise<void> {
  const url = metadata?.webhook_url
  if (url == null || url === stored.webhookUrl) return
  const { error } = Settable.safeParse({ metadata: { webhook_url: url } })
  if (error && url !== (await mergedWithLive(ctx, stored)).webhookUrl) throw inputError(error)
}
