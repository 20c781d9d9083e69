import type { Database, Transaction } from '../../db/client.ts'
import type { CallOptions } from '../transport.ts'
import type { Defaults } from './agreement/difference.ts'
import type { Adopt } from './agreement/survey.ts'

/** A live object as the platform returns it. */
export interface LiveObject {
  id: string
}

/** A live object as lists show it. */
export interface ListedObject extends LiveObject {
  updatedAt: string
}

/** One of our records that has a live object. */
export interface Recorded {
  ref: string
  liveId: string
  name: string
  /** What the live object is to be. */
  body: object
}

/**
 * How one kind of resource meets its remote object: both sides, as the mirror, its recovery, the sweep and imports need
 * them.
 */
export interface RemoteKind<Body extends object = object> {
  kind: string
  /** How it is told what others change in its live objects, so that both sides are merged. */
  agreement: {
    /** The values of fields that the platform may leave out. */
    defaults: Defaults
    /** A live object with what nobody may take from it, as far as it was sent that. */
    keep?(db: Database, sent: Body, live: object): Promise<object>
    /**
     * What can be sent of a body: without what is kept in it of outside changes, and not in what the record composes,
     * once the platform has lost the object that it names.
     */
    sendable?(sent: Body, composed: Body, call: CallOptions): Promise<Body>
    /**
     * Whether all fields of a live object are compared that the platform does not make, not only those that it is sent.
     */
    all?: boolean
    /** Fields that the platform wants with every change. */
    always?: readonly string[]
  }
  live: {
    create(body: Body, options?: CallOptions): Promise<LiveObject>
    /** Sends the remote object its new body, or the fields of it that change; it keeps what is left out. */
    update(id: string, body: Body, options?: CallOptions): Promise<LiveObject>
    get(id: string, options?: CallOptions): Promise<LiveObject>
    delete(id: string, options?: CallOptions): Promise<unknown>
    /** All live objects, or those changed at a time or later, a page after the other. */
    pages(changedSince: string | undefined, options: CallOptions): AsyncIterable<ListedObject[]>
    /** The objects that creates made since, newest first, found by the reference they were stamped with. */
    find(ref: string, since: Date, options?: CallOptions): Promise<LiveObject[]>
    /**
     * A body whose reference tells the create that it is sent with from all others, and whether an object has such a
     * mark. What somebody copies from an object that was told its body since has none.
     */
    mark?: { put(body: Body, creation: string): Body; isOn(live: LiveObject): boolean }
  }
  local: {
    /** The remote object's id and the body it was last sent, or undefined when there is no such record. */
    read(db: Database, ref: string): Promise<{ liveId: string; body: Body } | undefined>
    /** Records by their live ids, or a page of all of them in the order of `ref`. */
    recorded(
      db: Database,
      which: { liveIds: readonly string[] } | { after: string; limit: number },
    ): Promise<Recorded[]>
    /** Whether that body has what is kept of outside changes; otherwise it is what the record composes by itself. */
    readonly asSent?: boolean
    remove(tx: Transaction, ref: string): Promise<void>
    /** Takes in what was changed outside, when recovery meets it. */
    adopt: Adopt
    /** Gives the record another remote object, and whatever else names the old one. */
    rebind(tx: Transaction, ref: string, liveId: string): Promise<void>
  }
}

/** What can be sent of a body, as its kind says; `composed` is what the record makes of itself. */
export async function sendable<Body extends object>(
  { agreement }: RemoteKind<Body>,
  sent: Body,
  composed: Body,
  call: CallOptions,
): Promise<Body> {
  return agreement.sendable ? agreement.sendable(sent, composed, call) : sent
}

/** Clocks of two machines differ: how much earlier than its journal row a remote object may seem to be made. */
const clockSkewMs = 5 * 60_000

/** From when on to look for the remote object of a create that was journalled at `createdAt`. */
export const lookBackFrom = (createdAt: Date): Date => new Date(createdAt.getTime() - clockSkewMs)
