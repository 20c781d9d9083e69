import { writeSync } from 'node:fs'
import type { ChildConfig, Question } from './messages.ts'
import { startSteppingServer } from './server.ts'
import { localState } from './state.ts'
import { createSteps } from './steps.ts'

/** The server as a process that kills itself at a chosen step; its last word is the name of that step. */
const config: ChildConfig = JSON.parse(process.argv[2] ?? '{}')

const steps = createSteps((name) => {
  writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
})
const server = await startSteppingServer(config, steps.step)

process.on('message', async (question: Question) => {
  if (question.ask === 'arm') {
    steps.arm(question.killAt)
    process.send?.({ armed: true })
  } else if (question.ask === 'steps') {
    process.send?.({ steps: steps.taken() })
  } else {
    process.send?.({ state: await localState(server.services.db) })
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
