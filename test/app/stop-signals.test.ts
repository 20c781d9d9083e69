import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { listenForStop, StartStoppedError } from '../../src/app/stop-signals.ts'

/** The signals of a process of its own, what they stopped, and the codes that it ended with. */
function watched() {
  const events = new EventEmitter()
  const ended: number[] = []
  const stopped: string[] = []
  const signals = listenForStop(events, (code) => void ended.push(code))
  return { events, ended, stopped, signals, startDone: () => signals.startDone((signal) => stopped.push(signal)) }
}

test('a signal during the start ends the start, and a second one the process', () => {
  const { events, ended, signals } = watched()
  events.emit('SIGTERM')
  expect([signals.starting.reason, ended]).toEqual([expect.any(StartStoppedError), []])
  events.emit('SIGINT')
  events.emit('SIGTERM')
  expect(ended).toEqual([130, 143])
})

test('one that came when the server listened already stops the server once the start is done', () => {
  const { events, ended, stopped, startDone } = watched()
  events.emit('SIGTERM')
  startDone()
  events.emit('SIGINT')
  expect([stopped, ended]).toEqual([['SIGTERM', 'SIGINT'], []])
})

test('a start that no signal met is not ended by one later', () => {
  const { events, stopped, signals, startDone } = watched()
  startDone()
  events.emit('SIGINT')
  expect([stopped, signals.starting.aborted]).toEqual([['SIGINT'], false])
})
