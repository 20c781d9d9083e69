import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { listen } from '../../src/app/listen.ts'
import { newUser, testApp } from '../support/app.ts'

/** The engine looks at its connections every four seconds. */
const idleSeconds = 8

test('a form that comes slowly is taken, and its connection may be silent no longer than others after it', async () => {
  const app = await testApp({ idleSeconds })
  const server = listen(createApp(app.services), { host: '127.0.0.1', port: 0 }, idleSeconds)
  try {
    const { token } = await newUser(app.database)
    const part = '--x\r\ncontent-disposition: form-data; name="bio"\r\n\r\n'
    const name = '\r\n--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nSlow'
    const [words, end] = ['It came word by word. ', `${name}\r\n--x--\r\n`]
    const pieces = Array.from({ length: 2 * idleSeconds }, () => words)
    const socket = connect(Number(server.port), '127.0.0.1')
    const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())))
    let [said, heardAt] = ['', 0]
    socket.on('data', (chunk) => {
      said += chunk.toString()
      heardAt = performance.now()
    })
    socket.write(
      [
        'POST /user HTTP/1.1',
        `host: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=x`,
        `content-length: ${part.length + pieces.length * words.length + end.length}\r\n\r\n${part}`,
      ].join('\r\n'),
    )
    for (const piece of pieces) {
      await Bun.sleep(1_000)
      socket.write(piece)
    }
    socket.write(end)
    const closedAt = await closed
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(closedAt - heardAt).toBeLessThan(4 * idleSeconds * 1_000)
  } finally {
    await server.stop(true)
  }
}, 60_000)
