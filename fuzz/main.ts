import { loadavg } from 'node:os'
import { readOptions, usage } from './options.ts'
import type { Finding } from './play.ts'
import { replay } from './request.ts'
import { type RunResult, run } from './run.ts'
import { given, start } from './target.ts'

/** What a person needs to see a finding again. */
function told(seed: number, { request, seen, problem }: Finding): string {
  const { number, kind, method, target } = request
  const load = problem.includes(' took ') ? `, load ${loadavg()[0]?.toFixed(1)}` : ''
  const title = `FINDING seed ${seed}, request ${number} (${kind}${load}): ${problem}`
  const response = seen ? `${seen.status} ${seen.text.slice(0, 500)}` : 'none'
  return `${title}\n  ${method} ${target.slice(0, 200)}\n  response: ${response}\n  ${replay(request).slice(0, 3000)}`
}

const held = (memory: number | undefined) => (memory === undefined ? '' : `, ${Math.round(memory / 1_000_000)} MB`)

const maxLines = 20

/** What the server's log says of its own mistakes, newest last. */
const mistakes = (log: string) =>
  log
    .split('\n')
    .filter((line) => /"level":[56]0\b/.test(line))
    .slice(-maxLines)

async function fuzz(): Promise<number> {
  const { help, server, ...options } = readOptions()
  if (help) {
    console.log(usage)
    return 0
  }
  const target = server ? given(server.url, server.key) : await start()
  let result: RunResult
  try {
    result = await run(target, {
      ...options,
      onFinding: (finding) => console.log(told(options.seed, finding)),
      onProgress: (sent, memory) => console.error(`${sent} requests${held(memory)}`),
    })
  } finally {
    await target.stop()
  }
  const { sent, seconds, findings, faults, memory } = result
  for (const fault of faults) console.log(`FAULT ${fault}`)
  if (findings.length > 0) for (const line of mistakes(target.log())) console.log(`LOG ${line.slice(0, 3000)}`)
  console.error(`seed ${options.seed}, ${seconds.toFixed(1)} s, ${Math.round(sent / seconds)} a second${held(memory)}`)
  console.log(`${sent} requests, ${findings.length + faults.length} findings`)
  return findings.length + faults.length > 0 || sent < options.count ? 1 : 0
}

try {
  process.exitCode = await fuzz()
} catch (error) {
  console.error(error instanceof Error ? error.stack : error)
  process.exitCode = 1
}
