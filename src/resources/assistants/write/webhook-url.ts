import { z } from 'zod'
import { inputError } from '../../../api/errors/validation.ts'
import type { AssistantRowData } from '../read/find.ts'
import { MetadataBody } from './schema.ts'

const Settable = z.object({ metadata: MetadataBody.pick({ webhook_url: true }) })

/**
 * Lets an update repeat the `webhook_url` that one of `rows` of the assistant has, which may be longer than one that metadata sets:
 * it came through v2 or from the live platform (contract: assistants 44). Throws 422 for any other that is too long.
 */
export function requireSettableUrl(
  metadata: { webhook_url?: string | null | undefined } | null | undefined,
  ...rows: Pick<AssistantRowData, 'webhookUrl'>[]
): void {
  const url = metadata?.webhook_url
  if (url == null || rows.some(({ webhookUrl }) => webhookUrl === url)) return
  const { error } = Settable.safeParse({ metadata: { webhook_url: url } })
  if (error) throw inputError(error)
}
