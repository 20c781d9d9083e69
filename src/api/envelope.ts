import type { AccountContext } from './context.ts'

/** The response bodies of the voice and account procedures: routers put what services return into them. */

/** `{success, data}`. */
export const dataResponse = async <T>(data: Promise<T>) => ({ success: true as const, data: await data })

/** The `message` that the running operation's metadata says. Throws where it says none. */
export function messageOf({ meta }: AccountContext): string {
  if (meta.message === undefined) throw new Error(`No message is said of: ${meta.openapi?.summary}`)
  return meta.message
}

/** `{success, data, message}`. */
export const savedResponse = async <T>(ctx: AccountContext, data: Promise<T>) => ({
  success: true as const,
  data: await data,
  message: messageOf(ctx),
})

/** `{success, message}`, once the work is done. */
export async function doneResponse(ctx: AccountContext, work: Promise<unknown>) {
  await work
  return { success: true as const, message: messageOf(ctx) }
}

/** `{success, data[], ...}` with what goes with the list, such as `pagination`. */
export const listResponse = async <T extends { data: unknown[] }>(list: Promise<T>) => ({
  success: true as const,
  ...(await list),
})
