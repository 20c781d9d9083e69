import { Elysia } from 'elysia'
import { expect, test } from 'vitest'
import { listen } from '../../src/app/listen.ts'

test.each(['999.1.1.1', 'no-such-host.invalid', '192.0.2.1', 'a b'])(
  'HOST=%s stops the start with its name',
  (host) => {
    const app = new Elysia() as unknown as Parameters<typeof listen>[0]
    expect(() => listen(app, { host, port: 0 })).toThrow(
      `HOST: ${host} is no address of this machine, nor a name of one. Set another one, such as 127.0.0.1 or 0.0.0.0.`,
    )
  },
)

test('a name of this machine will do', async () => {
  const app = new Elysia() as unknown as Parameters<typeof listen>[0]
  const server = listen(app, { host: 'localhost', port: 0 })
  expect(server.port).toBeGreaterThan(0)
  await server.stop(true)
})
