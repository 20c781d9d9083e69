import { writeSync } from 'node:fs'
import pino from 'pino'
import { systemClock } from '../../../src/clock.ts'
import { readEnv } from '../../../src/env.ts'
import { startServer } from '../../../src/server.ts'
import { createPlatformClient } from '../../../src/voice-platform/client.ts'
import type { ChildConfig, Question } from './messages.ts'
import { localState } from './state.ts'

/**
 * The server as a process that kills itself at a chosen step: before each SQL statement, before and after each call to
 * the platform, and once the answer is computed. Its last word is the name of that step.
 */
const config: ChildConfig = JSON.parse(process.argv[2] ?? '{}')

let killAt: number | undefined
let steps: string[] = []

function step(name: string): void {
  if (killAt === undefined) return
  steps.push(name)
  if (steps.length !== killAt) return
  writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
}

/** Statements that time sends, not the request: recovery's poll, renewals, and the note of when a token was used. */
const isBackground = (statement: string) =>
  statement.includes('order by "live_writes"."due_at"') ||
  /^update "(live_writes" set "due_at"|leases" set "expires_at"|tokens" set "last_used_at")/.test(statement)

const server = await startServer(readEnv(config.env), {
  mirrorTimes: config.times,
  onQuery: (statement) => {
    if (!isBackground(statement)) step(statement)
  },
  log: pino(
    {
      level: 'info',
      base: null,
    },
    { write: (line) => line.includes('"msg":"request"') && step('the answer is computed') },
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
    killAt = question.killAt
    process.send?.({ armed: true })
  } else if (question.ask === 'steps') {
    killAt = undefined
    process.send?.({ steps })
  } else {
    process.send?.({ state: await localState(server.services.db) })
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
