import { describe, expect, test } from 'vitest'
import {
  drawingOf,
  freePlace,
  type Member,
  memberNames,
  membersOf,
  type Named,
} from '../../src/console/screens/squads/drawing.ts'

const ann: Named = { assistantId: 'a', liveId: 'live-a', name: 'Ann' }
const bob: Named = { assistantId: 'b', liveId: 'live-b', name: 'Bob' }
const handOff = (assistantName: string, more: object = {}) => ({ type: 'assistant' as const, assistantName, ...more })

describe('a squad that is drawn and published', () => {
  test.each<[string, Named[], Member[], { drawn: string[]; published: unknown[] }]>([
    [
      'a hand-off by name',
      [ann, bob],
      [{ assistantId: 'a', assistantDestinations: [handOff('Bob', { message: 'One moment.' })] }, { assistantId: 'b' }],
      { drawn: ['b'], published: [handOff('Bob', { message: 'One moment.', assistantId: 'b' })] },
    ],
    [
      'a member that was renamed since, by its id',
      [ann, { ...bob, name: 'Robert' }],
      [{ assistantId: 'a', assistantDestinations: [handOff('Bob', { assistantId: 'b' })] }, { assistantId: 'b' }],
      { drawn: ['b'], published: [handOff('Robert', { assistantId: 'b' })] },
    ],
    [
      'a member by its live id',
      [ann, { ...bob, name: 'Robert' }],
      [{ assistantId: 'a', assistantDestinations: [handOff('Bob', { assistantId: 'live-b' })] }, { assistantId: 'b' }],
      { drawn: ['b'], published: [handOff('Robert', { assistantId: 'b' })] },
    ],
    [
      'a member whose overrides give it another name',
      [ann, bob],
      [
        { assistantId: 'a', assistantDestinations: [handOff('Billing')] },
        { assistantId: 'b', assistantOverrides: { name: 'Billing' } },
      ],
      { drawn: ['b'], published: [handOff('Billing', { assistantId: 'b' })] },
    ],
    [
      'a member whose name is not known, by its id',
      [ann],
      [{ assistantId: 'a', assistantDestinations: [handOff('Bob', { assistantId: 'b' })] }, { assistantId: 'b' }],
      { drawn: ['b'], published: [handOff('Bob', { assistantId: 'b' })] },
    ],
    [
      'a name that no member has, which stays as it is',
      [ann, { ...bob, name: 'Robert' }],
      [{ assistantId: 'a', assistantDestinations: [handOff('Bob', { message: 'Hold on.' })] }, { assistantId: 'b' }],
      { drawn: [], published: [handOff('Bob', { message: 'Hold on.' })] },
    ],
  ])('%s', (_title, known, members, { drawn, published }) => {
    const drawing = drawingOf(members, known)
    expect(drawing.edges.map(({ target }) => target)).toEqual(drawn)
    expect(membersOf(drawing, memberNames(known))[0]?.assistantDestinations).toEqual(published)
  })

  test('one assistant that is two members keeps the settings of each', () => {
    const members: Member[] = [
      { assistantId: 'a', assistantOverrides: { name: 'Early' } },
      { assistantId: 'a', assistantOverrides: { name: 'Late' }, assistantDestinations: [handOff('Early')] },
    ]
    expect(membersOf(drawingOf(members, [ann]), memberNames([ann]))).toMatchObject([
      { assistantOverrides: { name: 'Early' } },
      { assistantOverrides: { name: 'Late' }, assistantDestinations: [{ assistantName: 'Early' }] },
    ])
  })

  test('a box that is added covers none that is there, also where one was taken out', () => {
    const { nodes } = drawingOf([{ assistantId: 'a' }, { assistantId: 'b' }, { assistantId: 'c' }], [])
    const places = nodes.map(({ position }) => position)
    expect(freePlace([])).toEqual(places[0])
    expect(freePlace(nodes.slice(1))).toEqual(places[0])
    expect(places).not.toContainEqual(freePlace(nodes))
    expect(freePlace([{ ...nodes[0], position: { x: 60, y: 100 } } as (typeof nodes)[number]])).toEqual(places[2])
  })
})
