import type { Account } from '../accounts/account.ts'
import type { Scope } from '../accounts/scope.ts'
import type { TextListener } from '../language-model/reasoning.ts'
import type { ServiceDependencies } from '../resources/dependencies.ts'
import type { ApiDependencies } from './dependencies.ts'
import type { DocumentStyle } from './errors/api-error.ts'
import type { KeyedRequest } from './idempotency/replay.ts'
import type { OperationMeta } from './meta.ts'
import type { Match } from './preconditions/match.ts'
import type { RateState } from './rate-limit/limiter.ts'
import type { Batch } from './rpc/batch.ts'

/** What services get of every request, whichever way it came in. */
export interface ServiceContext extends ServiceDependencies {
  readonly requestId: string
  /** The caller's address, in one form for each place, for anonymous limits. */
  readonly address: string
  /** The page that a browser sends the request for. */
  readonly origin: string | null
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** A UUID that belongs to the caller's Idempotency-Key: the same request makes the same resource. */
  readonly idempotencyId: string | undefined
  /** What its If-Match names; services ask for it with `requireMatch`. */
  readonly match?: Match
  /** Its response goes out as JSON: what is written already may stand in it (`Written`). */
  readonly asText?: boolean
  /** Gets a reply while it is written, for callers who asked for a stream. */
  readonly onText?: TextListener
  /** What it shares with the other calls of its request. */
  readonly batch?: Batch
  /** Filled while the request is served; tRPC copies contexts, so what must survive is kept here. */
  readonly outcome: Outcome
}

/** A request whose caller is known. Services take this and their input; those for visitors a `ServiceContext`. */
export interface AccountContext extends ServiceContext {
  readonly account: Account
  readonly scope: Scope
  readonly meta: OperationMeta
}

/** A request as the API layer serves it. */
export interface RequestContext extends ServiceContext, ApiDependencies {
  readonly authorization: string | null
  /** Leaves its connection open however long it is silent, until what is returned is called. */
  readonly keepOpen: () => () => void
  /** Its Idempotency-Key, where its procedure heeds it by itself: a subscription, whose response is a stream. */
  readonly keyed?: Pick<KeyedRequest, 'key' | 'path' | 'body'>
}

/** The request of a subscription: its procedure keeps what it gave under an Idempotency-Key, as the API layer does. */
export type SubscriptionContext = RequestContext & AccountContext

/** An entry of an assistant's history, as the write that made it knows it. */
export interface MadeVersion {
  summary: string
  changes: readonly object[]
  /** The entry with the configuration directly before it, with what was changed outside; null where none is kept. */
  previous: number | null
}

/** What the gates and handlers leave for the response's head and the log line. */
export interface Outcome {
  account?: Account
  /** The document whose error bodies a failure gets. */
  document?: DocumentStyle
  /** What was asked for, by the name of its procedure. */
  operation?: string
  /** The look-up of the caller, shared by the calls of a batch. */
  caller?: Promise<Account | undefined>
  rate?: RateState
  /** The one origin that may read the response, or null for none; any when it is not set. */
  readableBy?: string | null
  /** Whether the response says that the change may have been made all the same. */
  unknown?: boolean
  /** Whether the events of a subscription are what was kept under its Idempotency-Key. */
  replayed?: boolean
  /** Whether a call failed of a response whose status was said before. */
  partlyFailed?: boolean
  /** Told when the caller has gone by the time the response would be sent; each call of a batch adds its own. */
  undelivered?: readonly (() => Promise<void>)[]
  /** The entry that a write made in the history of its assistant. */
  version?: MadeVersion
  /** The fields that lead a number where it led directly before a write; null where no write can. */
  ledTo?: Readonly<Record<string, string | null>> | null
  /** Names of parameters that were accepted and have no effect. */
  ignored?: readonly string[]
}
