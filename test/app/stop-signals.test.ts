import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { listenForStop, StartStoppedError } from '../../src/app/stop-signals.ts'

/** The signals of a process of its own, what they stopped, and the codes that it ended with. */
function watched() {
  const events = new EventEmitter()
  const ended: number[] = []
  const stopped: string[] = []
  const clock = { ms: 0 }
  const end = (code: number) => void ended.push(code)
  const signals = listenForStop(events, end, () => clock.ms)
  return {
    clock,
    events,
    ended,
    stopped,
    signals,
    startDone: () => signals.startDone((signal) => stopped.push(signal)),
  }
}

test('a signal during the start ends the start, and a second one the process', () => {
  const { clock, events, ended, signals } = watched()
  events.emit('SIGTERM')
  expect([signals.starting.reason, ended]).toEqual([expect.any(StartStoppedError), []])
  events.emit('SIGINT')
  clock.ms = 500
  events.emit('SIGTERM')
  expect(ended).toEqual([130, 143])
})

test('one that is passed on by a runner as well is one', () => {
  const { clock, events, ended } = watched()
  events.emit('SIGINT')
  clock.ms = 499
  events.emit('SIGINT')
  expect(ended).toEqual([])
})

test('one that came when the server listened already stops the server once the start is done', () => {
  const { events, ended, stopped, startDone } = watched()
  events.emit('SIGTERM')
  startDone()
  events.emit('SIGINT')
  expect([stopped, ended]).toEqual([['SIGTERM', 'SIGINT'], []])
})

test('a running server hears a second one, and not the one that a runner passes on', () => {
  const { clock, events, ended, stopped, startDone } = watched()
  startDone()
  events.emit('SIGTERM')
  clock.ms = 499
  events.emit('SIGTERM')
  expect(stopped).toEqual(['SIGTERM'])
  clock.ms = 500
  events.emit('SIGTERM')
  events.emit('SIGINT')
  expect([stopped, ended]).toEqual([['SIGTERM', 'SIGTERM', 'SIGINT'], []])
})

test('a start that no signal met is not ended by one later', () => {
  const { events, stopped, signals, startDone } = watched()
  startDone()
  events.emit('SIGINT')
  expect([stopped, signals.starting.aborted]).toEqual([['SIGINT'], false])
})
