import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { PlatformError } from '../../../voice-platform/errors.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { ResourceBusyError } from '../../../voice-platform/mirror/mirror.ts'
import type { AssistantRowData } from '../read/find.ts'
import { readable } from '../read/readable.ts'
import { assistantRemote } from '../remote.ts'
import { adoptOutside } from './adopt.ts'

/** The value, or undefined where one of these errors stands in its way. */
const unless = <T>(work: Promise<T>, ...expected: (abstract new (...args: never[]) => Error)[]) =>
  work.catch((error: unknown) => {
    if (expected.some((type) => error instanceof type)) return undefined
    throw error
  })

/** The columns that a save would take on; none of a record that cannot be composed any more. */
const takenOn = async (ctx: AccountContext, row: AssistantRowData, outside: Outside) =>
  outside.changes.length > 0 ? (await unless(adoptOutside(ctx, row, outside), ApiError))?.columns : undefined

/**
 * An assistant as its live object is: with what a save of it would take on of what was changed on the platform itself
 * (contract: assistants 29). Nothing is saved. The same row while the platform is out of reach, or has lost the object.
 */
export async function mergedWithLive(ctx: AccountContext, row: AssistantRowData): Promise<AssistantRowData> {
  const { assistantId, voiceAssistantId, personalityName } = row
  const looked = ctx.mirror.look(assistantRemote(ctx), assistantId, voiceAssistantId, { signal: ctx.signal })
  const outside = await unless(looked, PlatformError, ResourceBusyError)
  if (!outside) return row
  const taken = await takenOn(ctx, row, outside)
  const merged = { ...row, ...taken }
  return {
    ...merged,
    personalityName: merged.personalityId === row.personalityId ? personalityName : null,
    live: { ...row.live, ...readable({ ...taken?.live, ...outside.found.live }) } as AssistantRowData['live'],
  }
}
