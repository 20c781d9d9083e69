import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { PlatformError } from '../../../voice-platform/errors.ts'
import { same, valueAt } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { ResourceBusyError } from '../../../voice-platform/mirror/mirror.ts'
import type { AssistantRowData } from '../read/find.ts'
import { readable } from '../read/readable.ts'
import { assistantRemote } from '../remote.ts'
import { textFields } from '../rendering/spoken-texts.ts'
import { adoptOutside } from './adopt.ts'

/** The value, or undefined where one of these errors stands in its way. */
const unless = <T>(work: Promise<T>, ...expected: (abstract new (...args: never[]) => Error)[]) =>
  work.catch((error: unknown) => {
    if (expected.some((type) => error instanceof type)) return undefined
    throw error
  })

/** What a save would take on; nothing of a record that cannot be composed any more. */
const takenOn = async (ctx: AccountContext, row: AssistantRowData, outside: Outside) =>
  outside.changes.length > 0 ? unless(adoptOutside(ctx, row, outside), ApiError) : undefined

/**
 * Texts that the live object has in words of somebody else which a record would replace: shown as they are there, they
 * stay when they are sent back (contract: drift 10).
 */
function keptTexts({ base, changes, found }: Outside, composed: object) {
  const texts = textFields.flatMap((field) => {
    const [ours, theirs] = [valueAt(composed, [field]), found.live[field]]
    const isOutside = changes.some(({ path }) => path[0] === field) || !same(valueAt(base.sent, [field]), ours)
    return isOutside && typeof theirs === 'string' && theirs !== ours ? [[field, theirs] as const] : []
  })
  return Object.fromEntries(texts)
}

/**
 * An assistant as its live object is: with what a save of it would take on of what was changed on the platform itself
 * (contract: assistants 29). Nothing is saved. The same row while the platform is out of reach, or has lost the object.
 */
export async function mergedWithLive(ctx: AccountContext, row: AssistantRowData): Promise<AssistantRowData> {
  const { assistantId, voiceAssistantId, personalityName } = row
  const looked = ctx.mirror.look(assistantRemote(ctx), assistantId, voiceAssistantId, { signal: ctx.signal })
  const outside = await unless(looked, PlatformError, ResourceBusyError)
  if (!outside) return row
  const adopted = await takenOn(ctx, row, outside)
  const taken = adopted?.columns
  const merged = { ...row, ...taken }
  return {
    ...merged,
    config: { ...merged.config, ...keptTexts(outside, adopted?.composed ?? outside.base.composed) },
    personalityName: merged.personalityId === row.personalityId ? personalityName : null,
    live: { ...row.live, ...readable({ ...taken?.live, ...outside.found.live }) } as AssistantRowData['live'],
  }
}
