import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { lastResort } from '../../src/app/last-resort.ts'
import { createLog } from '../../src/runtime/log.ts'

/** A process of its own, and what is logged of it. */
function watched() {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const events = new EventEmitter()
  const broken: string[] = []
  const last = lastResort(createLog('info', destination), () => broken.push('broken'), events)
  return { events, lines, broken, last }
}

const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const query = new Error('Failed query: select secret\nparams: hunter2', {
  cause: Object.assign(new Error('write CONNECTION_CLOSED 127.0.0.1:5432'), { code: 'CONNECTION_CLOSED' }),
})

describe('what no code handled', () => {
  test('rejections are logged by their event, counted and survived, whatever they are', () => {
    const { events, lines, broken, last } = watched()
    for (const reason of [query, new TypeError('a fault of ours'), 'no error at all']) {
      events.emit('unhandledRejection', reason)
    }
    expect(lines).toMatchObject([
      { level: 50, event: 'unhandled_rejection', count: 1, err: { code: 'CONNECTION_CLOSED' } },
      { level: 50, event: 'unhandled_rejection', count: 2, err: { message: 'a fault of ours' } },
      { level: 50, event: 'unhandled_rejection', count: 3, err: { message: 'no error at all' } },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/select secret|hunter2|stack/)
    expect([last.rejections, last.exceptions, broken]).toEqual([3, 0, []])
  })

  test('exceptions of a lost connection are survived, any other ends the server', () => {
    const { events, lines, broken, last } = watched()
    events.emit('uncaughtException', lost)
    expect(broken).toEqual([])
    events.emit('uncaughtException', new TypeError('a fault of ours'))
    expect(broken).toEqual(['broken'])
    expect(lines).toMatchObject([
      { level: 60, event: 'uncaught_exception', count: 1, survived: true },
      { level: 60, event: 'uncaught_exception', count: 2, survived: false },
    ])
    expect(last.exceptions).toBe(2)
  })

  test('after its stop it no longer listens', () => {
    const { events, last } = watched()
    last.stop()
    expect([events.listenerCount('unhandledRejection'), events.listenerCount('uncaughtException')]).toEqual([0, 0])
  })
})
