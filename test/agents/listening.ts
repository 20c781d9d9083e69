import { createApp } from '../../src/app.ts'
import type { TestApp } from '../support/app.ts'

/** The application on a real socket, for what needs clients that hang up. */
export function listening({ services }: TestApp) {
  const app = createApp(services)
  app.listen({ hostname: '127.0.0.1', port: 0, idleTimeout: 60 })
  const { server } = app
  if (!server) throw new Error('The app does not listen')
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** Waits until something holds; fails after two seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await Bun.sleep(10)
  }
  throw new Error('It never came to hold')
}
