interface ServerEvent {
  name: string
  data: unknown
}

/** Longer than any stream of a reply. */
const maxLength = 1_000_000

function read(block: string): ServerEvent | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n')
  try {
    return { name: field('event'), data: JSON.parse(field('data')) }
  } catch {
    return undefined
  }
}

/**
 * The server's events as they come; in one piece where the browser gives no stream. Throws when the connection breaks.
 */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let pending = reader ? '' : `${await response.text()}\n\n`
  let length = 0
  for (let isOver = !reader; ; ) {
    const blocks = pending.split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = read(block)
      if (event) yield event
    }
    if (isOver) return
    const part = await reader?.read()
    isOver = !part || part.done
    const text = decoder.decode(part?.value, { stream: !isOver })
    length += text.length
    if (length > maxLength) throw new Error('too long')
    pending += text
  }
}
