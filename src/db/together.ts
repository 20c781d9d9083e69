/** What promises give. */
export type Results<Statements extends readonly unknown[]> = {
  -readonly [At in keyof Statements]: Awaited<Statements[At]>
}

/**
 * The results of statements of one transaction that do not wait for each other: the driver sends them at once, and the
 * database runs them in this order. Whatever fails, all of them have ended by then, so that none is sent after the
 * rollback.
 * @throws the error of the first that failed, which those after it failed of.
 */
export async function together<const Statements extends readonly Promise<unknown>[]>(
  ...statements: Statements
): Promise<Results<Statements>> {
  const ended = await Promise.allSettled(statements)
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason
  return ended.map((outcome) => outcome.status === 'fulfilled' && outcome.value) as Results<Statements>
}
