import type { AccountContext } from '../../api/context.ts'
import type { Transaction } from '../../db/client.ts'
import { changesBetween } from '../history/changes.ts'
import { type AuditAction, auditEntries } from './table.ts'

export interface AuditedChange {
  action: AuditAction
  /** The last part of a catalogue's path is the kind of its entries. */
  subject: { kind: string; id: number | string }
  /** The record before and after; left out where there is none. */
  before?: object
  after?: object
}

const stamps = new Set(['created_at', 'updated_at'])

const fields = (record: object = {}) => Object.fromEntries(Object.entries(record).filter(([key]) => !stamps.has(key)))

/** The same keys, all null: what is made or deleted is compared field by field too. */
const nothingOf = (record: object) => Object.fromEntries(Object.keys(record).map((key) => [key, null]))

/**
 * Adds a change to the audit trail, in the transaction that makes it: who, by which token, what (secrets masked).
 * An update that changes nothing adds nothing.
 */
export async function recordAudit(tx: Transaction, ctx: AccountContext, change: AuditedChange): Promise<void> {
  const [before, after] = [fields(change.before), fields(change.after)]
  const changes = changesBetween(change.before ? before : nothingOf(after), change.after ? after : nothingOf(before))
  if (change.action === 'updated' && changes.length === 0) return
  await tx.insert(auditEntries).values({
    actorId: ctx.account.userId,
    tokenId: ctx.account.tokenId,
    action: change.action,
    subjectKind: change.subject.kind,
    subjectId: String(change.subject.id),
    changes,
    requestId: ctx.requestId,
    createdAt: ctx.clock.now(),
  })
}
