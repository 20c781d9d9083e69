import { ApiError } from '../errors/api-error.ts'

/** Where tRPC is served. */
export const endpoint = '/trpc'

/**
 * The procedures that a request calls, as tRPC reads its path: a slash behind them is none of a name. None where it
 * cannot be read.
 */
export function namesIn({ url }: { url: string }): string[] {
  const path = new URL(url).pathname.slice(endpoint.length)
  try {
    return decodeURIComponent(path.replace(/^\/|\/$/g, '')).split(',')
  } catch {
    return []
  }
}

/** The path of a request as clients of tRPC spell it, of whatever spellings lead to the same procedures. */
export const pathOf = (request: { url: string }): string => `${endpoint}/${namesIn(request).join(',')}`

/** Calls in one tRPC request. */
export const maxBatchSize = 50

/** Whether a request holds calls of a batch, be it one. */
export const isBatch = ({ searchParams }: URL): boolean => searchParams.get('batch') === '1'

/** The media type of results as lines, each as soon as it is there. */
export const linesType = 'application/jsonl'

/** What tRPC says of a request with more; it has no code of its own. */
export const batchTooLarge = 'Batch call exceeds maximum size'

/** How tRPC begins what it says of a request whose calls are of several kinds. */
export const batchMixed = 'Cannot mix procedure types'

/** What tRPC says of a subscription among the calls of a batch. */
export const batchSubscribes = 'Cannot batch subscription calls'

/** Calls of a request that run at once. */
const maxAtOnce = 8

/** Characters that the reads of one request give together. */
const maxLength = 16_000_000

/** What the calls of one request share. */
export interface Batch {
  /** Waits for a call's turn, which ends with what is returned. Throws 422 when the calls before gave too much. */
  enter(): Promise<() => void>
  /** Counts what a call gives. Throws 422 when it is more than one response may hold. */
  weigh(text: string): void
}

/** A batch; what its writes give is not counted, as they have been done by then. */
export function createBatch(isRead: boolean): Batch {
  let [running, length] = [0, 0]
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  const weigh = (text: string) => {
    if (isRead) length += text.length
    if (length > maxLength) throw new ApiError('batch_response_too_large')
  }
  return {
    weigh,
    async enter() {
      if (running < maxAtOnce) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        weigh('')
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
  }
}
