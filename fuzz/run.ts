import { readDescription } from './description.ts'
import { createLane } from './lane.ts'
import { type Finding, play } from './play.ts'
import { read } from './state.ts'
import type { Target } from './target.ts'

export interface RunOptions {
  seed: number
  count: number
  /** How many requests are under way at once, each in a pair of tenants of its own. */
  lanes: number
  /** The most bytes that the server's process may hold. */
  maxMemory: number
  /** What a response may take: five seconds, and more where others use the machine. */
  maxMilliseconds?: number
  /** The most seconds that the run may take; what is left is not sent. */
  maxSeconds?: number
  onFinding?(finding: Finding): void
  onProgress?(sent: number, memory: number | undefined): void
}

export interface RunResult {
  sent: number
  seconds: number
  findings: Finding[]
  /** What is wrong with the server as a whole. */
  faults: string[]
  memory: number | undefined
}

const maxFindings = 200

/** Sends requests to a server until they are all sent, and gathers what is wrong with their responses. */
export async function run(target: Target, options: RunOptions): Promise<RunResult> {
  const { seed, count, lanes, maxSeconds = Number.POSITIVE_INFINITY, maxMilliseconds = 5000 } = options
  const description = readDescription()
  const started = performance.now()
  const findings: Finding[] = []
  const faults: string[] = []
  let sent = 0
  let memory: number | undefined

  const watch = () => {
    memory = target.memory()
    if (memory !== undefined && memory > options.maxMemory && faults.length === 0) {
      faults.push(`the server holds ${Math.round(memory / 1_000_000)} MB after ${sent} requests`)
    }
  }
  const isOver = () => {
    if (target.ended() && faults.length === 0) faults.push(`the server ended: ${target.log().slice(-2000)}`)
    return findings.length >= maxFindings || faults.length > 0 || performance.now() - started > maxSeconds * 1000
  }

  const runLane = async (number: number) => {
    const lane = await createLane(target, description, number, maxMilliseconds)
    for (let request = number; request < count && !isOver(); request += lanes) {
      const found = await play(lane, seed, request)
      for (const finding of found) {
        findings.push(finding)
        options.onFinding?.(finding)
      }
      sent += 1
      if (sent % 1000 === 0) {
        watch()
        options.onProgress?.(sent, memory)
      }
    }
    for (const caller of ['ada', 'viewer', 'bob'] as const) {
      if (isOver()) break
      const { status } = await read(lane, caller, '/user')
      // Who is refused finds nothing more: everything that it was asked since was no test.
      if (status !== 200) faults.push(`${caller} of lane ${number} reads ${status} at the end`)
    }
    for (const token of Object.values(lane.cast.tokens)) {
      if (token !== undefined && target.log().includes(token)) faults.push('a token stands in the log')
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, number) => runLane(number)))
  const isSilent = findings.some(({ seen }) => seen === undefined)
  if (isSilent) faults.push(`the server's log ends: ${target.log().slice(-2000)}`)
  watch()
  return { sent, seconds: (performance.now() - started) / 1000, findings, faults, memory }
}
