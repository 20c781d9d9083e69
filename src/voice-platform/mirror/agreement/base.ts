import type { Json } from '../../../json/object.ts'
import { exactLeavesBetween, isNothing, type Leaf, withLeaves } from './leaves.ts'

/** What both sides last agreed on. */
export interface Base<Body extends object = object> {
  liveId: string
  /** What the record alone made of it. */
  composed: Body
  /** What the platform was sent: the same, with what is kept of outside changes that the record has no field for. */
  sent: Body
  /** What the platform then had; undefined when its response did not say. */
  seen: Json | undefined
  /** What it was to have besides, and refused again and again; `sent` says that. */
  refused?: readonly Pick<Leaf, 'path' | 'to'>[] | undefined
}

/** The fields of a live object that a body manages. */
export function managedOf(body: object, live: object): Json {
  const managed: Json = { ...body }
  const fields: Json = { ...live }
  for (const field of Object.keys(managed)) managed[field] = Object.hasOwn(fields, field) ? fields[field] : undefined
  return managed
}

/** Whether a response says all that was sent, so that what it has besides is the platform's own doing. */
function isWhole(sent: object, live: object): boolean {
  const fields: Json = { ...sent }
  return Object.keys(fields).every((field) => Object.hasOwn(live, field) || isNothing(fields[field]))
}

/** What is kept of a live object that was seen: the fields that it was sent, or with `all` the whole of it. */
export const seenOf = (sent: object, live: object, all?: boolean): Json => ({
  ...(all && live),
  ...managedOf(sent, live),
})

/** What is agreed on after a write: `live` is the platform's response to it. */
export function agreedOn<Body extends object>(
  written: { liveId: string; composed: Body; sent: Body },
  live: object,
  all?: boolean,
): Base<Body> {
  const { sent } = written
  return { ...written, seen: isWhole(sent, live) ? seenOf(sent, live, all) : undefined }
}

/**
 * The body that `local.read` gives of a record which has not changed since: with `asSent` what its object was sent, and
 * what of its own was never sent.
 */
export const recordedIn = <Body extends object>({ composed, sent }: Base<Body>, asSent: boolean | undefined): Body =>
  asSent ? { ...composed, ...sent } : composed

/** A base as if the platform had taken what it refused: what the live object still has there differs. */
export const asTaken = <B extends Base>(base: B): B =>
  base.refused ? { ...base, seen: withLeaves(base.seen ?? base.sent, base.refused), refused: undefined } : base

/** The base of a record that was written before bases were kept. */
export const assumedBase = <Body extends object>(liveId: string, body: Body): Base<Body> => ({
  liveId,
  composed: body,
  sent: body,
  seen: undefined,
})

/** Whether a base says nothing beyond its body, so that the rest need not be stored. */
export const isPlain = ({ composed, sent, seen }: Base): { sent: boolean; seen: boolean } => ({
  sent: Bun.deepEquals(composed, sent),
  seen: seen !== undefined && exactLeavesBetween(sent, seen).length === 0,
})
