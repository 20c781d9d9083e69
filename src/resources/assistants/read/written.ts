import { authorise } from '../../../api/auth/gate.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { writer } from '../../../api/schema-compiler/compiled-schema.ts'
import type { Written } from '../../../api/schema-compiler/written.ts'
import { type BoundedCache, boundedCache } from '../../../runtime/bounded-cache.ts'
import { Assistant, type AssistantRecord, AssistantRow } from '../schema.ts'
import { findStamp, type Stamp, type StampedRow } from './find.ts'
import { assistantRecord, requireAssistant } from './record.ts'

/** A record as it was last read, and the stamp of its row. */
interface Kept {
  stamp: Stamp
  written: Written
}

/** Records by their public ids, written as JSON (record 0035). */
export type WrittenRecords = BoundedCache<string, Kept>

/** What one process keeps at most. */
export const keptBytes = 32 * 1024 * 1024

/** Makes the memory of one process. */
export const createWrittenRecords = (): WrittenRecords =>
  boundedCache(keptBytes, ({ written, stamp }) => 2 * (written.text.length + JSON.stringify(stamp).length))

const write = writer(Assistant, [AssistantRow])

const isSame = (one: Stamp, other: Stamp): boolean =>
  one.version === other.version &&
  one.personalityName === other.personalityName &&
  one.userName === other.userName &&
  one.templateFirstMessage === other.templateFirstMessage &&
  one.templateEndCallMessage === other.templateEndCallMessage

/** What is kept of an assistant, as long as its row says that nothing has changed. */
export function writtenOf({ writtenRecords }: AccountContext, id: string, stamp: Stamp): Written | undefined {
  const kept = writtenRecords.get(id)
  return kept && isSame(kept.stamp, stamp) ? kept.written : undefined
}

/** Writes the record of a row, and keeps it. */
export function writeRecord({ writtenRecords }: AccountContext, row: StampedRow): Written {
  const { version, personalityName, userName, templateFirstMessage, templateEndCallMessage } = row
  const stamp = { version, personalityName, userName, templateFirstMessage, templateEndCallMessage }
  const written = write(assistantRecord(row))
  writtenRecords.set(row.assistantId, { stamp, written })
  return written
}

/** A written record as the face takes it: its schema takes both. */
export const asRecord = ({ asText }: AccountContext, written: Written): AssistantRecord =>
  (asText ? written : written.toJSON()) as AssistantRecord

/** One assistant (contract: assistants 7). Throws 404. */
export async function getAssistant(ctx: AccountContext, { assistantId }: { assistantId: string }) {
  if (ctx.writtenRecords.get(assistantId)) {
    const stamp = await findStamp(ctx, assistantId)
    if (!stamp) throw new ApiError('assistant_not_found')
    authorise(ctx)
    const written = writtenOf(ctx, assistantId, stamp)
    if (written) return asRecord(ctx, written)
  }
  return asRecord(ctx, writeRecord(ctx, await requireAssistant(ctx, assistantId)))
}
