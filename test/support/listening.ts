import { createApp } from '../../src/app/app.ts'
import type { TestApp } from './app.ts'

/** The application on a real socket, which its public URLs name: for programs, browsers and clients that hang up. */
export function listening(app: TestApp) {
  const settings = { ...app.services.settings }
  const services = { ...app.services, settings }
  const { server } = createApp(services).listen({ hostname: '127.0.0.1', port: 0, idleTimeout: 60 })
  if (!server) throw new Error('The app does not listen')
  settings.publicUrl = `http://127.0.0.1:${server.port}`
  return { url: settings.publicUrl, services, stop: () => server.stop(true) }
}

/** Waits until something holds; fails after twenty seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await holds()) return
    await Bun.sleep(10)
  }
  throw new Error('It never came to hold')
}
