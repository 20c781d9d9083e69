import { openSync } from 'node:fs'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../src/main.ts')
const startMs = 240_000
/** A server that starts on a busy machine, or whose database is broken, may take that long to say how it is. */
const answerMs = 10_000
const stopMs = 45_000
/** Whoever looks after a server starts it again after that, when it ends by itself. */
const ownEndPauseMs = 500

interface ProcessOptions {
  name: string
  port: number
  env: Record<string, string>
  /** Where what it says is kept. */
  logs: string
  /** It ended although nobody asked it to. */
  onOwnEnd(name: string, code: number | null): void
}

/** One real server: started, broken and started again on the same port. */
export class ServerProcess {
  readonly name: string
  readonly url: string
  private child: Bun.Subprocess | undefined
  private asked = false

  constructor(private readonly options: ProcessOptions) {
    this.name = options.name
    this.url = `http://127.0.0.1:${options.port}`
  }

  get running(): boolean {
    return this.child !== undefined
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  /** Starts it; resolves once it answers. */
  async start(): Promise<void> {
    const until = Date.now() + startMs
    if (!this.child) this.spawn()
    while (Date.now() < until) {
      if (this.child && (await this.answers())) return
      await Bun.sleep(50)
    }
    throw new Error(`${this.name} did not start in ${startMs / 1000} seconds`)
  }

  private spawn(): void {
    const { name, port, env, logs, onOwnEnd } = this.options
    const log = openSync(join(logs, `${name}.log`), 'a')
    const child = Bun.spawn([process.execPath, main], {
      env: { PATH: String(process.env.PATH), HOST: '127.0.0.1', PORT: String(port), ...env },
      stdin: 'ignore',
      stdout: log,
      stderr: log,
    })
    this.child = child
    this.asked = false
    void child.exited.then((code) => {
      if (this.child !== child) return
      this.child = undefined
      if (this.asked) return
      onOwnEnd(name, code)
      setTimeout(() => {
        if (!this.child && !this.asked) this.spawn()
      }, ownEndPauseMs)
    })
  }

  private async answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(answerMs)
    const answer = await fetch(`${this.url}/health/ready`, { signal, keepalive: false }).catch(() => undefined)
    return answer?.status === 200
  }

  /** Sends a signal that leaves it running. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(name)
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const { child } = this
    this.asked = true
    if (!child) return
    child.kill('SIGKILL')
    await child.exited
    this.child = undefined
  }

  /** Asks it to end; one that does not is killed, and false is returned. */
  async stop(): Promise<boolean> {
    const { child } = this
    this.asked = true
    if (!child) return true
    child.kill('SIGTERM')
    const ended = await Promise.race([child.exited.then(() => true), Bun.sleep(stopMs).then(() => false)])
    if (!ended) await this.kill()
    this.child = undefined
    return ended
  }
}
