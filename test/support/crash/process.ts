import { join } from 'node:path'
import { shortLived } from '../short-lived.ts'
import type { ChildConfig, Question, Reply } from './messages.ts'
import type { StartedServer } from './rig.ts'

const entry = join(import.meta.dirname, 'child.ts')

/** Starts the server as a process of its own, which is really killed. */
export async function startProcess(config: ChildConfig): Promise<StartedServer> {
  let answered = Promise.withResolvers<Reply>()
  const spawned = Bun.spawn([process.execPath, entry, JSON.stringify(config)], {
    env: shortLived,
    stdout: 'pipe',
    stderr: 'inherit',
    ipc: (reply: Reply) => answered.resolve(reply),
    onExit: () => answered.reject(new Error('The child process has ended')),
  })
  answered.promise.catch(() => {})
  const lastWord = new Response(spawned.stdout).text()
  const ask = async (question: Question): Promise<Reply> => {
    answered = Promise.withResolvers()
    answered.promise.catch(() => {})
    spawned.send(question)
    return answered.promise
  }
  const { url = '' } = await answered.promise
  return {
    url,
    async arm(killAt) {
      await ask({ ask: 'arm', killAt })
    },
    steps: async () => (await ask({ ask: 'steps' })).steps ?? [],
    state: async () => (await ask({ ask: 'state' })).state ?? { assistants: [], journal: [] },
    died: spawned.exited.then(async () => {
      const step = await lastWord
      return step === '' ? undefined : step
    }),
    async kill() {
      spawned.kill('SIGKILL')
      await spawned.exited
    },
  }
}
