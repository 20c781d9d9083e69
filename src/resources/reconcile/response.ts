import type { AccountContext } from '../../api/context.ts'
import { messageOf } from '../../api/envelope.ts'

/** `{success, message, data}`; a record that is gone is null, and the message says so in the place of `reconciled`. */
export async function reconciledResponse<T>(ctx: AccountContext, gone: string, work: Promise<T | undefined>) {
  const data = (await work) ?? null
  const message = data === null ? messageOf(ctx).replace('reconciled', gone) : messageOf(ctx)
  return { success: true as const, message, data }
}
