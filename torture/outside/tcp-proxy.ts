import { connect, createServer, type Socket } from 'node:net'

/** The wire between servers and PostgreSQL, which can be cut. */
export interface TcpProxy {
  port: number
  /** Ends every connection; returns how many there were. */
  cut(): number
  /** While it refuses, no connection is made. */
  refuse(refusing: boolean): void
  /** While it stalls, nothing passes. */
  stall(stalling: boolean): void
  stop(): void
}

/** Passes connections on to a port of this machine. */
export async function startProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let refusing = false
  let stalling = false
  const server = createServer((near) => {
    if (refusing) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => near.write(chunk))
    if (stalling) near.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cut = () => {
    const count = pairs.size
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
    return count
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut,
    refuse(value) {
      refusing = value
    },
    stall(value) {
      stalling = value
      for (const [near, far] of pairs) for (const socket of [near, far]) value ? socket.pause() : socket.resume()
    },
    stop() {
      server.close()
      cut()
    },
  }
}
