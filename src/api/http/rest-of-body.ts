/** What a connection takes of a body by itself, whoever reads it. */
const buffered = 64 * 1024
/** How much more of a body that nobody reads is taken in, and for how long, in all and of silence. */
const maxBytes = 64 * 1024 * 1024
const maxMs = 10_000
const maxSilentMs = 1_000

/**
 * Takes in what a caller still sends of a body that was refused: many clients read no response before they have sent all, and
 * to them a connection that is closed in the middle is an error. Nothing of it is kept. False where the body is short enough to
 * be sent whatever the server does, where there is more than 64 MB of it, and where it takes long.
 */
export async function takeRest({ headers }: Request, body: ReadableStream<Uint8Array>): Promise<boolean> {
  if (Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= buffered) return false
  const reader = body.getReader()
  const ended = performance.now() + maxMs
  let size = 0
  try {
    while (size <= maxBytes && performance.now() < ended) {
      const { promise: silent, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(resolve, maxSilentMs)
      const piece = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer))
      if (piece === undefined) break
      if (piece.done) return true
      size += piece.value.length
    }
    await reader.cancel()
  } catch {
    // Who breaks off hears nothing more.
  }
  return false
}
