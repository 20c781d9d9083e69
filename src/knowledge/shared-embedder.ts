import type { Embedder, EmbeddingOrder, SharedEmbedder } from './embedder.ts'

/** More waits already for this workspace than it may have waiting. */
export class EmbedderBusyError extends Error {
  override readonly name = 'EmbedderBusyError'
  override readonly message = 'Too many texts of this workspace wait for the embedder'
}

/** What the embedder works on at once: small enough that a question never waits long for passages. */
const batchCharacters = 1_200
const batchTexts = 16
/** Batches of one workspace that may wait, by kind. */
const maxWaiting = { question: 32, passages: 512 }

interface Job {
  texts: string[]
  signal: AbortSignal | undefined
  resolve(vectors: Float32Array[]): void
  reject(error: unknown): void
}

/**
 * A job, and how many of its workspace will have been begun when it is due: those of before, and those that came with
 * it.
 */
interface Waiting {
  job: Job
  due: number
}

interface Queue {
  /** Jobs that were begun since it has had any waiting. */
  begun: number
  waiting: Waiting[]
}

/**
 * Jobs of workspaces that take turns. Among those of one workspace a short text goes before long ones, but for those
 * that have waited as long as they are.
 */
class Lane {
  private readonly queues = new Map<number, Queue>()

  constructor(private readonly max: number) {}

  push(workspaceId: number, jobs: readonly Job[]): void {
    const queue = this.queues.get(workspaceId) ?? { begun: 0, waiting: [] }
    const { begun, waiting } = queue
    if (waiting.length + jobs.length > this.max && waiting.length > 0) throw new EmbedderBusyError()
    const due = begun + jobs.length
    waiting.push(...jobs.map((job) => ({ job, due })))
    this.queues.set(workspaceId, queue)
  }

  /** The next job of the workspace that was served longest ago. */
  shift(): Job | undefined {
    for (const [workspaceId, queue] of this.queues) {
      const { waiting } = queue
      this.queues.delete(workspaceId)
      const least = waiting.reduce((found, { due }) => Math.min(found, due), Number.POSITIVE_INFINITY)
      const at = waiting.findIndex(({ due }) => due === least)
      const [first] = waiting.splice(at, 1)
      queue.begun += 1
      if (waiting.length > 0) this.queues.set(workspaceId, queue)
      if (first) return first.job
    }
    return undefined
  }

  clear(): Job[] {
    const jobs = [...this.queues.values()].flatMap(({ waiting }) => waiting.map(({ job }) => job))
    this.queues.clear()
    return jobs
  }
}

function batches(texts: readonly string[]): string[][] {
  const found: string[][] = []
  let size = 0
  for (const text of texts) {
    const last = found.at(-1)
    if (last && last.length < batchTexts && size + text.length <= batchCharacters) {
      last.push(text)
      size += text.length
    } else {
      found.push([text])
      size = text.length
    }
  }
  return found
}

/**
 * Shares one embedder among all workspaces: small batches, questions before passages, and within each kind the
 * workspaces in turn, and of one workspace short files before long ones. So nobody waits for more of others than the
 * batch under way and one of each other workspace that asks.
 */
export function shareEmbedder(embedder: Embedder): SharedEmbedder {
  const lanes = { question: new Lane(maxWaiting.question), passages: new Lane(maxWaiting.passages) }
  let running = 0

  const next = () => {
    while (running < (embedder.concurrency ?? 1)) {
      const job = lanes.question.shift() ?? lanes.passages.shift()
      if (!job) return
      if (job.signal?.aborted) {
        job.reject(job.signal.reason)
        continue
      }
      running++
      embedder
        .embed(job.texts, job.signal)
        .then(job.resolve, job.reject)
        .finally(() => {
          running--
          next()
        })
    }
  }

  return {
    id: embedder.id,
    related: embedder.related,
    async embed(texts, { workspaceId, kind, signal }: EmbeddingOrder) {
      signal?.throwIfAborted()
      const made = batches(texts).map((batch) => {
        const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>()
        return { job: { texts: batch, signal, resolve, reject }, promise }
      })
      lanes[kind].push(
        workspaceId,
        made.map(({ job }) => job),
      )
      next()
      const vectors = await Promise.all(made.map(({ promise }) => promise))
      return vectors.flat()
    },
    close() {
      const closed = new Error('The embedder was closed')
      for (const { reject } of [...lanes.question.clear(), ...lanes.passages.clear()]) reject(closed)
      embedder.close()
    },
  }
}
