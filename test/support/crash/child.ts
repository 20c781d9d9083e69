import { writeSync } from 'node:fs'
import pino from 'pino'
import { readEnv } from '../../../src/app/env.ts'
import { startServer } from '../../../src/app/server.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { createPlatformClient } from '../../../src/voice-platform/client.ts'
import { answered, type ChildConfig, type Question } from './messages.ts'
import { localState } from './state.ts'

/**
 * The server as a process that kills itself at a chosen step: before each SQL statement, before and after each call to
 * the platform, and once the answer is computed. A step's name says which of its kind it is, as what time does meanwhile
 * shifts mere numbers. The process's last word is the name of the step at which it died.
 */
const config: ChildConfig = JSON.parse(process.argv[2] ?? '{}')

let armed = false
let killAt: string | undefined
let steps: string[] = []
const times = new Map<string, number>()

function step(kind: string): void {
  if (!armed) return
  const time = (times.get(kind) ?? 0) + 1
  times.set(kind, time)
  const name = `${kind} (${time})`
  steps.push(name)
  armed = kind !== answered
  if (name !== killAt) return
  writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
}

const server = await startServer(readEnv(config.env), {
  mirrorTimes: config.times,
  onQuery: step,
  log: pino(
    {
      level: 'info',
      base: null,
    },
    { write: (line) => line.includes('"msg":"request"') && step(answered) },
  ),
  platform: createPlatformClient({
    baseUrl: config.platformUrl,
    apiKey: config.platformKey,
    clock: systemClock,
    backoffMs: 10,
    async fetch(input, init) {
      const method = init?.method ?? 'GET'
      step(`${method} is sent`)
      const answer = await fetch(input, init)
      step(`${method} is done`)
      return answer
    },
  }),
})

process.on('message', async (question: Question) => {
  if (question.ask === 'arm') {
    steps = []
    times.clear()
    killAt = question.killAt
    armed = true
    process.send?.({ armed: true })
  } else if (question.ask === 'steps') {
    process.send?.({ steps })
  } else {
    process.send?.({ state: await localState(server.services.db) })
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
