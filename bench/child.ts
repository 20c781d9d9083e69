import { atTheEnd } from './cleanups.ts'
import { onCore } from './cores.ts'

/** A process that answers one question at a time. */
export interface Child {
  /** Where it listens, 0 when it does not. */
  port: number
  ask<Answer>(question: object): Promise<Answer>
  /** Ends it, and so its connections. */
  end(): Promise<void>
  /** Has it end by itself, so that it writes what it still has to write. */
  leave(): Promise<void>
}

const startMs = 20_000

/**
 * Starts a script as a process of its own in production mode, pinned to a core; resolves when it says that it is ready.
 * It is ended with the run.
 * @param flags of the runtime
 */
export async function startChild(
  runtime: string,
  script: string,
  args: string[],
  core: 0 | 1,
  flags: readonly string[] = [],
): Promise<Child> {
  let answered = Promise.withResolvers<unknown>()
  const child = Bun.spawn([...onCore(core), 'env', 'NODE_ENV=production', runtime, ...flags, script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    serialization: 'json',
    ipc: (message) => answered.resolve(message),
  })
  const ended = child.exited.then((code) => {
    throw new Error(`${script} ended with code ${code}`)
  })
  ended.catch(() => {})
  const tooLate = Bun.sleep(startMs).then(() => {
    throw new Error(`${script} did not start`)
  })
  tooLate.catch(() => {})
  const end = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  atTheEnd(end)
  const { port } = (await Promise.race([answered.promise, ended, tooLate])) as { port: number }
  return {
    port,
    end,
    async leave() {
      child.disconnect()
      await child.exited
    },
    async ask<Answer>(question: object) {
      answered = Promise.withResolvers()
      child.send(question)
      return (await Promise.race([answered.promise, ended])) as Answer
    },
  }
}
