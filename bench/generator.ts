/** What the load generator is asked to do. */
export interface Load {
  port: number
  /** Requests as they go over the wire; sent in turn, again and again. */
  requests: string[]
  /** Which of them is sent first: where the last load ended, so that a short one does not always send the same. */
  first: number
  connections: number
  seconds: number
}

/** What it did. */
export interface Loaded {
  count: number
  /** Answers that were no success. */
  failed: number
  seconds: number
}

const headEnd = Buffer.from('\r\n\r\n')

/** Reads answers of a keep-alive connection just as far as needed to know where each one ends. */
function answerReader(onAnswer: (success: boolean) => void) {
  let remaining = 0
  let success = false
  let chunked = false
  let held: Buffer = Buffer.alloc(0)
  return (data: Buffer) => {
    if (remaining > 0) {
      remaining -= data.length
    } else if (chunked) {
      if (data.subarray(-5).toString('latin1') !== '0\r\n\r\n') return
      chunked = false
    } else {
      held = held.length > 0 ? Buffer.concat([held, data]) : data
      const end = held.indexOf(headEnd)
      if (end < 0) return
      const head = held.toString('latin1', 0, end)
      success = head.startsWith('HTTP/1.1 200') || head.startsWith('HTTP/1.1 201')
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      const bodySoFar = held.length - end - headEnd.length
      chunked = length === undefined && held.subarray(-5).toString('latin1') !== '0\r\n\r\n'
      remaining = length === undefined ? 0 : Number(length) - bodySoFar
      held = Buffer.alloc(0)
    }
    if (remaining <= 0 && !chunked) onAnswer(success)
  }
}

async function load({ port, requests, first, connections, seconds }: Load): Promise<Loaded> {
  const bytes = requests.map((request) => Buffer.from(request))
  let count = 0
  let failed = 0
  let next = first
  let open = connections
  const done = Promise.withResolvers<void>()
  const started = performance.now()
  const deadline = started + seconds * 1000

  const connect = () =>
    Bun.connect<{ read(data: Buffer): void; unsent: Buffer }>({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(socket) {
          const send = () => {
            const message = bytes[next++ % bytes.length] ?? Buffer.alloc(0)
            const written = socket.write(message)
            socket.data.unsent = message.subarray(written)
          }
          const read = answerReader((success) => {
            count++
            if (!success) failed++
            if (performance.now() < deadline) send()
            else socket.end()
          })
          socket.data = { read, unsent: Buffer.alloc(0) }
          send()
        },
        data: (socket, data) => socket.data.read(data),
        drain(socket) {
          const { unsent } = socket.data
          if (unsent.length > 0) socket.data.unsent = unsent.subarray(socket.write(unsent))
        },
        close() {
          if (--open === 0) done.resolve()
        },
        error: (_socket, error) => done.reject(error),
      },
    })
  await Promise.all(Array.from({ length: connections }, connect))
  await done.promise
  return { count, failed, seconds: (performance.now() - started) / 1000 }
}

process.on('message', (asked: Load) => void load(asked).then((loaded) => process.send?.(loaded)))
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
