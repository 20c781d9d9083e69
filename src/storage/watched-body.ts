/**
 * The same body, with a promise that resolves once nobody reads it any more: at its end, or when it failed or was left.
 */
export function watchedBody(
  source: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): { body: ReadableStream<Uint8Array>; ended: Promise<void> } {
  const reader = source.getReader()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = () => {
        controller.error(new DOMException('The time of this transfer is over.', 'TimeoutError'))
        end()
        reader.cancel().catch(() => {})
      }
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail, { once: true })
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        if (!signal.aborted) controller.error(error)
      }
      end()
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return { body, ended }
}
