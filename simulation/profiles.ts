import type { RequestFault } from './outside/faults.ts'

/** What is done in a simulation. */
export const operationKinds = [
  'create assistant',
  'create with number',
  'create again',
  'update assistant',
  'delete assistant',
  'reconcile assistant',
  'buy number',
  'route number',
  'release number',
  'create squad',
  'update squad',
  'delete squad',
  'reconcile squad',
  'take turn',
  'pay',
  'edit outside',
  'delete outside',
  'create outside',
  'kill',
  'pause',
  'pause and kill',
  'outage',
  'join',
  'sweep',
] as const
export type OperationKind = (typeof operationKinds)[number]
type Weights = Partial<Record<OperationKind, number>>

/** How often the ways break: of a thousand requests, statements and commits. */
export interface Rates {
  requests: Partial<Record<RequestFault, number>>
  /** A statement that does not arrive, or whose response is lost; and the response of a commit. */
  statements: { refused: number; lost: number; commitRefused: number; commitLost: number }
}

/** What comes up in one world, and how it breaks: each brings one kind of trouble about often. */
export interface Profile {
  name: string
  operations: Weights
  rates: Rates
  /** Simulated milliseconds between two operations, in the mean. */
  meanMs: number
  /** At the same time. */
  maxAssistants: number
  /** How long a process stands still, in milliseconds. */
  pauseMs: readonly [number, number]
  /** After so long a client that heard nothing sends the same again; before, its key is under way and refused. */
  retryMs: number
  /** Nothing breaks, so that nobody may be refused for it. */
  calm?: true
}

/** A little of everything. */
export const requests: Rates['requests'] = {
  refused: 15,
  'lost before': 15,
  'lost after': 30,
  late: 30,
  hangs: 6,
  swallowed: 6,
  twice: 10,
  slow: 12,
  truncated: 8,
  'too many': 8,
  'fails before': 12,
  'fails after': 12,
}
export const statements: Rates['statements'] = { refused: 2, lost: 2, commitRefused: 2, commitLost: 36 }
export const nothing: Rates = { requests: {}, statements: { refused: 0, lost: 0, commitRefused: 0, commitLost: 0 } }

export const usual: Omit<Profile, 'name'> = {
  operations: {},
  rates: { requests, statements },
  meanMs: 300,
  maxAssistants: 6,
  pauseMs: [1_000, 14_000],
  retryMs: 20_000,
}

const kindsOfAll: Weights = {
  'create assistant': 10,
  'update assistant': 34,
  'delete assistant': 4,
  'reconcile assistant': 4,
  'buy number': 6,
  'route number': 6,
  'release number': 3,
  'edit outside': 16,
  'delete outside': 3,
  'create outside': 2,
  kill: 9,
  pause: 8,
  sweep: 4,
}

/** Every seed has one of them, in turn. */
export const profiles: readonly Profile[] = [
  { ...usual, name: 'everything', operations: kindsOfAll },
  {
    ...usual,
    name: 'late writes',
    operations: {
      'create assistant': 8,
      'update assistant': 40,
      'delete assistant': 5,
      'edit outside': 10,
      kill: 8,
      sweep: 2,
    },
    rates: { requests: { ...requests, late: 200, 'lost before': 60, 'lost after': 60, refused: 60 }, statements },
    meanMs: 700,
    maxAssistants: 2,
  },
  {
    ...usual,
    name: 'long pauses',
    operations: {
      'create assistant': 8,
      'create again': 6,
      'update assistant': 20,
      'delete assistant': 12,
      'edit outside': 3,
      kill: 4,
      pause: 18,
      'pause and kill': 18,
    },
    rates: { requests: { ...requests, 'too many': 80, 'fails before': 80, refused: 40 }, statements },
    meanMs: 1_200,
    maxAssistants: 2,
    pauseMs: [4_000, 40_000],
  },
  {
    ...usual,
    name: 'a database that breaks',
    operations: {
      'create assistant': 10,
      'create again': 4,
      'update assistant': 30,
      'delete assistant': 6,
      'edit outside': 6,
      kill: 6,
    },
    rates: {
      requests: { ...requests, refused: 90 },
      statements: { refused: 20, lost: 20, commitRefused: 90, commitLost: 90 },
    },
    maxAssistants: 4,
  },
  {
    ...usual,
    name: 'outages of the platform',
    operations: {
      'create assistant': 8,
      'create again': 6,
      'update assistant': 26,
      'delete assistant': 12,
      'edit outside': 6,
      outage: 12,
      kill: 6,
    },
    rates: { requests, statements: { ...statements, commitRefused: 40 } },
    meanMs: 500,
    maxAssistants: 4,
  },
  {
    ...usual,
    name: 'purchases',
    operations: {
      'create assistant': 3,
      'buy number': 40,
      'release number': 24,
      'route number': 4,
      kill: 14,
      pause: 10,
      'pause and kill': 8,
    },
    rates: { requests: { ...requests, late: 120, 'lost after': 60, 'too many': 40 }, statements },
    meanMs: 900,
    pauseMs: [1_000, 16_000],
  },
  {
    ...usual,
    name: 'routing',
    operations: {
      'create assistant': 4,
      'create with number': 12,
      'update assistant': 4,
      'delete assistant': 18,
      'reconcile assistant': 6,
      'delete outside': 5,
      'buy number': 10,
      'route number': 40,
      'release number': 2,
      kill: 6,
      sweep: 2,
    },
    rates: { requests: { ...requests, refused: 50 }, statements },
    meanMs: 150,
    maxAssistants: 4,
  },
  {
    ...usual,
    name: 'objects that are made again',
    operations: {
      'create assistant': 8,
      'update assistant': 10,
      'delete assistant': 16,
      'reconcile assistant': 26,
      'delete outside': 24,
      kill: 6,
    },
    rates: { requests: { ...requests, late: 160, 'lost after': 80 }, statements },
    meanMs: 900,
    maxAssistants: 3,
  },
  {
    ...usual,
    name: 'squads',
    operations: {
      'create assistant': 10,
      'update assistant': 4,
      'delete assistant': 8,
      'reconcile assistant': 6,
      'create squad': 10,
      'update squad': 20,
      'delete squad': 5,
      'reconcile squad': 8,
      'buy number': 4,
      'route number': 12,
      'delete outside': 8,
      kill: 6,
      pause: 4,
      sweep: 2,
    },
    rates: { requests, statements },
    maxAssistants: 4,
  },
  {
    ...usual,
    name: 'money',
    operations: { 'take turn': 60, pay: 10, kill: 10, pause: 10, 'pause and kill': 4 },
    rates: { requests, statements: { refused: 4, lost: 4, commitRefused: 20, commitLost: 40 } },
    meanMs: 500,
    pauseMs: [1_000, 20_000],
  },
  {
    ...usual,
    name: 'calm',
    operations: { 'create assistant': 6, 'update assistant': 50, 'edit outside': 20, join: 4, sweep: 12 },
    rates: nothing,
    meanMs: 500,
    maxAssistants: 3,
    calm: true,
  },
]

/** The profile that a seed has by itself. */
export function ownProfileOf(seed: number): Profile {
  const [first] = profiles
  const profile = profiles[(seed - 1) % profiles.length] ?? first
  if (!profile) throw new Error('There is no profile')
  return profile
}
