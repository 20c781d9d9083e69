import { connect, createServer, type Socket } from 'node:net'
import type { FaultOf, Faults } from '../faults.ts'
import type { Random } from '../random.ts'

/** The wire between servers and PostgreSQL, which can be cut. */
export interface TcpProxy {
  port: number
  /** Ends every connection; returns how many there were. */
  cut(): number
  /** While it refuses, no connection is made. */
  refuse(refusing: boolean): void
  /** While it stalls, nothing passes; returns how many connections there are. */
  stall(stalling: boolean): number
  stop(): void
}

const delayMs: [number, number] = [100, 1_500]

/** What breaks single connections. */
interface WireFaults {
  faults: Faults
  random: Random
}

/** Passes what goes over a pair of sockets on; what waits at the wire breaks this connection alone. */
function pass(near: Socket, far: Socket, breaking?: WireFaults): void {
  let onResponse: FaultOf<'wire'> | undefined
  const end = () => {
    near.destroy()
    far.destroy()
  }
  near.on('data', (chunk) => {
    const fault = breaking?.faults.take('wire')
    if (fault) breaking?.faults.count(`wire: ${fault}`)
    if (fault === 'drop query') return end()
    if (breaking && fault === 'delay') {
      near.pause()
      setTimeout(
        () => {
          far.write(chunk)
          near.resume()
        },
        breaking.random.between(...delayMs),
      )
      return
    }
    onResponse ??= fault
    far.write(chunk)
  })
  far.on('data', (chunk: Buffer) => {
    if (onResponse === 'tear') near.write(chunk.subarray(0, Math.floor(chunk.length / 2)), end)
    else if (onResponse) end()
    else near.write(chunk)
  })
}

/** Passes connections on to a port of this machine. */
export async function startProxy(target: number, breaking?: WireFaults): Promise<TcpProxy> {
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
    pass(near, far, breaking)
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
      return pairs.size
    },
    stop() {
      server.close()
      cut()
    },
  }
}
