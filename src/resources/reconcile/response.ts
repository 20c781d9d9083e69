/** `{success, message, data}`; a record that is deleted is null. */
export async function reconciledResponse<T>(named: string, gone: string, work: Promise<T | undefined>) {
  const data = (await work) ?? null
  const message = data === null ? `${named} ${gone} successfully` : `${named} reconciled successfully`
  return { success: true as const, message, data }
}
