import { nothing, ownProfileOf, type Profile, profiles, requests, statements, usual } from './profiles.ts'

/**
 * Worlds that hardly ever come up by themselves: no seed has one, they are asked for by name. Each makes one situation
 * likely that a mistake is looked for in.
 */
export const directedProfiles: readonly Profile[] = [
  {
    ...usual,
    name: 'creates, failing commits',
    operations: { 'create assistant': 40, 'delete assistant': 12 },
    rates: { requests: {}, statements: { ...statements, commitRefused: 300, commitLost: 100 } },
    meanMs: 200,
  },
  {
    ...usual,
    name: 'creates, long pauses',
    operations: { 'create assistant': 40, 'delete assistant': 12, pause: 50 },
    rates: nothing,
    meanMs: 150,
    pauseMs: [9_000, 25_000],
  },
  {
    ...usual,
    name: 'creates, kills',
    operations: { 'create assistant': 60, 'delete assistant': 12, kill: 30 },
    rates: nothing,
    meanMs: 80,
  },
  {
    ...usual,
    name: 'creates among outside edits',
    operations: {
      'create assistant': 30,
      'update assistant': 20,
      'delete assistant': 12,
      'edit outside': 60,
      sweep: 2,
    },
    rates: { requests: { ...requests, hangs: 200, 'lost after': 100 }, statements },
    meanMs: 250,
    maxAssistants: 4,
  },
  {
    ...usual,
    name: 'one assistant, long pauses',
    operations: {
      'create assistant': 20,
      'update assistant': 30,
      'delete assistant': 24,
      'edit outside': 10,
      pause: 40,
    },
    rates: { requests: {}, statements },
    meanMs: 900,
    maxAssistants: 1,
    pauseMs: [7_000, 25_000],
  },
  {
    ...usual,
    name: 'repeated creates, long pauses',
    operations: { 'create again': 60, 'delete assistant': 30, pause: 40 },
    rates: nothing,
    meanMs: 700,
    pauseMs: [9_000, 16_000],
    retryMs: 6_000,
  },
  {
    ...usual,
    name: 'one assistant, failing commits',
    operations: { 'create assistant': 4, 'update assistant': 40, 'edit outside': 50 },
    rates: { requests: {}, statements: { ...statements, commitRefused: 600 } },
    meanMs: 80,
    maxAssistants: 1,
  },
  {
    ...usual,
    name: 'what follows, failing commits',
    operations: {
      'create assistant': 6,
      'update assistant': 40,
      'delete assistant': 3,
      'buy number': 6,
      'route number': 30,
      'create squad': 6,
      'update squad': 20,
      sweep: 12,
    },
    rates: { requests: {}, statements: { ...statements, commitRefused: 250, commitLost: 60 } },
    meanMs: 500,
    maxAssistants: 3,
  },
]

export const profileNames: readonly string[] = [...profiles, ...directedProfiles].map(({ name }) => name)

/** The profile of a seed: the directed one of that name, where it is asked for, or its own. */
export const profileOf = (seed: number, name?: string): Profile =>
  directedProfiles.find((directed) => directed.name === name) ?? ownProfileOf(seed)
