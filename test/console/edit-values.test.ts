import { describe, expect, test } from 'vitest'
import { changesOf, type Values } from '../../src/console/screens/assistants/edit/values.ts'
import type { Assistant } from '../../src/console/screens/assistants/tabs.ts'

const assistant = { assistant_id: 'a', name: 'Ann', model: { messages: [] } } as unknown as Assistant
const before = {
  variableValues: { greeting: 'Hello', hours: 'nine to five' },
  monitorPlan: { listenEnabled: true, controlEnabled: true },
  clientMessages: ['transcript'],
  analysisPlan: null,
}
const values = (rest: object): Values =>
  ({ name: 'Ann', voice: {}, transcriber: {}, model: {}, metadata: {}, rest: JSON.stringify(rest) }) as Values

describe('the JSON of the editor', () => {
  test.each<[string, object, object]>([
    ['a value of an object', { ...before, variableValues: { greeting: 'Hello' } }, { variableValues: { hours: null } }],
    [
      'a setting of a plan, where another one changed',
      { ...before, monitorPlan: { listenEnabled: false } },
      { monitorPlan: { listenEnabled: false, controlEnabled: null } },
    ],
    ['a list', { ...before, clientMessages: undefined }, { clientMessages: null }],
    ['what was not set', { ...before, analysisPlan: undefined }, {}],
  ])('clears what was taken away: %s', (_what, after, sent) => {
    const { assistantId: _id, name: _name, ...changes } = changesOf(assistant, values(before), values(after))
    expect(JSON.parse(JSON.stringify(changes))).toEqual(sent)
  })
})
