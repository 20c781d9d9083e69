import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { DatabaseHandle } from '../../db/client.ts'
import type { BackgroundPart } from '../../db/work/background.ts'

/** Paths of sockets are short. */
const maxPath = 100

const socketIn = (dataDir: string) => join(dataDir, 'control.sock')
const copiesIn = (dataDir: string) => join(dataDir, 'copies')

const Copied = z.object({ folder: z.string() })

/**
 * Lets the command of a backup, which may not open an embedded database that a server has open, ask that server for a
 * copy of its files. The socket is in the data folder, which its owner alone can enter.
 * @param onFailure called when there can be no socket, which is no reason not to serve
 */
export function controlPart(
  { database, dataDir }: { database: DatabaseHandle; dataDir: string },
  onFailure: (error: unknown) => void,
): BackgroundPart {
  const path = socketIn(dataDir)
  const { copyTo } = database
  let server: ReturnType<typeof Bun.serve> | undefined
  const copy = async (request: Request, serving: Bun.Server<undefined>): Promise<Response> => {
    // The copy of a large database says nothing for long.
    serving.timeout(request, 0)
    const { pathname } = new URL(request.url)
    if (request.method !== 'POST' || pathname !== '/copy' || !copyTo) return new Response(null, { status: 404 })
    const folder = join(copiesIn(dataDir), crypto.randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await copyTo(join(folder, 'database'))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    return Response.json({ folder } satisfies z.infer<typeof Copied>)
  }
  return {
    async start() {
      if (!copyTo) return
      // What a killed process left; the data folder is locked, so that nobody uses it.
      await rm(copiesIn(dataDir), { recursive: true, force: true })
      await rm(path, { force: true })
      try {
        if (path.length > maxPath) throw new Error('The path of DATA_DIR is too long for a socket')
        server = Bun.serve({ unix: path, fetch: copy, error: () => new Response(null, { status: 500 }) })
      } catch (error) {
        onFailure(error)
      }
    },
    async stop() {
      await server?.stop(true)
      await rm(path, { force: true })
    },
  }
}

/**
 * Asks the server that has a data folder open for a copy of its database, as it is now: a data folder of its own,
 * to be removed by the caller. Undefined when no server responds.
 */
export async function requestCopy(dataDir: string): Promise<string | undefined> {
  const response = await fetch('http://localhost/copy', { method: 'POST', unix: socketIn(dataDir) }).catch(
    () => undefined,
  )
  return response?.ok ? Copied.parse(await response.json()).folder : undefined
}
