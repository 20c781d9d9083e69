/** The response bodies of the voice and account procedures: routers put what services return into them. */

/** `{success, data}`. */
export const dataResponse = async <T>(data: Promise<T>) => ({ success: true as const, data: await data })

/** `{success, data, message}`. */
export const savedResponse = async <T>(message: string, data: Promise<T>) => ({
  success: true as const,
  data: await data,
  message,
})

/** `{success, message}`, once the work is done. */
export async function doneResponse(message: string, work: Promise<unknown>) {
  await work
  return { success: true as const, message }
}

/** `{success, data[], ...}` with what goes with the list, such as `pagination`. */
export const listResponse = async <T extends { data: unknown[] }>(list: Promise<T>) => ({
  success: true as const,
  ...(await list),
})
