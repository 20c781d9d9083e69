import type { HttpFault } from '../faults.ts'
import type { Random } from '../random.ts'
import { type HttpReply, type HttpResponse, json } from './http.ts'

const delayMs: [number, number] = [200, 4_000]

/** Breaks one request in the given way; `perform` does what was asked for. */
export function breakRequest(fault: HttpFault, perform: () => HttpResponse, reply: HttpReply, random: Random): void {
  const ways: Record<HttpFault, () => void> = {
    'drop before': () => reply.drop(),
    'drop after'() {
      perform()
      reply.drop()
    },
    tear: () => reply.tear(perform()),
    truncate: () => reply.truncate(perform()),
    delay: () => void setTimeout(() => reply.send(perform()), random.between(...delayMs)),
    '429': () => reply.send(json(429, { message: 'Too many requests.' }, { 'retry-after': '1' })),
    '500 before': () => reply.send(json(500, { message: 'Internal error.' })),
    '503 after'() {
      perform()
      reply.send(json(503, { message: 'Unavailable.' }))
    },
  }
  ways[fault]()
}
