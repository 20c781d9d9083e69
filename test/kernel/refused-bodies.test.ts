import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { listening } from '../support/listening.ts'

let app: TestApp
let user: TestUser
let server: ReturnType<typeof listening>
const sockets: Socket[] = []

beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
  server = listening(app)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop()
})

/** Sends all of a body before it reads a word, as many clients do; what comes back then. */
async function sendingAll(path: string, type: string, bytes: number, token: string | undefined) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.pause()
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${authorization}content-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  const piece = Buffer.alloc(16 * 1024, 'x')
  for (let sent = 0; sent < bytes; sent += piece.length) {
    const rest = piece.subarray(0, bytes - sent)
    if (!socket.write(rest)) await Promise.race([once(socket, 'drain'), failed])
    // As a client that reads what it sends from a disk.
    if (bytes < megabyte) await Bun.sleep(1)
  }
  const read = async (until: RegExp) => {
    let said = ''
    while (!until.test(said)) said += String((await Promise.race([once(socket, 'data'), failed]))[0])
    return said
  }
  socket.resume()
  const first = await read(/\r\n\r\n[\s\S]*\}/)
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  return { first, next: await read(/\r\n\r\n/) }
}

const megabyte = 1024 * 1024

describe('a body that is refused', () => {
  test.each([
    [413, 'JSON that is too long', '/assistants', 'application/json', 3 * megabyte, true],
    [
      413,
      'a form that is too long',
      '/agents/00000000-0000-4000-8000-000000000000/files',
      'multipart/form-data; boundary=x',
      26 * megabyte,
      true,
    ],
    [413, 'a tRPC call that is too long', '/trpc/assistants.create', 'application/json', 3 * megabyte, true],
    [401, 'JSON of nobody', '/assistants', 'application/json', 3 * megabyte, false],
    [401, 'JSON of nobody that is no longer than others', '/assistants', 'application/json', 60_000, false],
    [415, 'another type', '/assistants', 'text/plain', megabyte, true],
    [404, 'JSON for no path', '/nowhere', 'application/json', 3 * megabyte, true],
  ])('%i: who sends all of it first reads why, and goes on: %s', async (status, _what, path, type, bytes, known) => {
    const { first, next } = await sendingAll(path, type, bytes, known ? user.token : undefined)
    expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(next).toMatch(/^HTTP\/1\.1 200 /)
  })

  /**
   * Sends the beginning of a body to a server, and nothing more; the response, and after how many milliseconds it came.
   */
  const beginning = async (url: string, token = '') => {
    const started = performance.now()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(socket)
    const head = `host: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${megabyte}`
    socket.write(`POST /assistants HTTP/1.1\r\n${head}\r\n\r\n{`)
    const [said] = await once(socket, 'data')
    return { said: String(said), ms: performance.now() - started }
  }

  test('is not waited for where it does not come', async () => {
    const { said, ms } = await beginning(server.url)
    expect(said).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i)
    expect(ms).toBeLessThan(4_000)
  })

  test('is let go at once by a 429', async () => {
    const limited = await testApp({ rateLimits: { perMinute: 1, turnsPerMinute: 0 } })
    const { token } = await newUser(limited.database)
    const itsServer = listening(limited)
    expect((await limited.send('GET', '/assistants', { token })).status).toBe(200)
    const { said, ms } = await beginning(itsServer.url, token)
    expect(said).toMatch(/^HTTP\/1\.1 429 [\s\S]*connection: close/i)
    expect(ms).toBeLessThan(900)
    await itsServer.stop()
  })
})
