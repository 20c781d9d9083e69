import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { LiveAssistantBody } from '../../voice-platform/mapping/live-assistant.ts'
import { isCallVariable } from '../../voice-platform/mapping/variables.ts'
import { refusedByPlatform } from '../../voice-platform/schema/rules.ts'
import { liveBody, placeholdersIn } from '../assistants/rendering/render.ts'
import { refusedConfig } from '../assistants/write/config-rules.ts'
import { emptyDraft } from '../assistants/write/draft.ts'
import { maskedIn } from '../history/diff.ts'
import { type Built, build } from './build.ts'
import { requireCustomFields } from './custom-fields.ts'
import type { BuildBody, PreviewData } from './schema.ts'

function textsOf(live: LiveAssistantBody) {
  const sent: { role: string; content?: unknown }[] = live.model.messages ?? []
  return {
    first_message: live.firstMessage,
    end_call_message: live.endCallMessage,
    messages: sent.map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : '' })),
  }
}

/** What would be spoken as nothing: placeholders that stayed, and that no call fills. */
function unresolved(live: LiveAssistantBody): string[] {
  const { first_message, end_call_message, messages } = textsOf(live)
  const texts = [first_message, end_call_message, live.voicemailMessage, ...messages.map(({ content }) => content)]
  return [...new Set(texts.flatMap(placeholdersIn))].filter((name) => !isCallVariable(name))
}

/** The live body of what was built. Throws 422 for what breaks the write body's rules, or the platform's own. */
export function validBody(ctx: AccountContext, { draft, sources }: Built): LiveAssistantBody {
  const live = liveBody(crypto.randomUUID(), draft, sources, ctx.settings)
  const refused = { ...refusedByPlatform(live), ...refusedConfig(draft.config) }
  if (Object.keys(refused).length > 0) throw new ApiError('v2_config_invalid', { fields: refused })
  return live
}

/**
 * Merges the layers and checks the result against the write body's rules and the platform's own, as far as they are
 * known here. Creates nothing, anywhere (contract: builder 6). Nobody sees a secret of the layers (contract: builder 20).
 * Throws 422 for references that do not exist, for required custom fields without a value, without a base config, and for what the merged configuration breaks.
 */
export async function previewAssistant(ctx: AccountContext, body: BuildBody) {
  const built = await build(ctx, { ...emptyDraft, workspaceId: ctx.account.workspaceId }, body)
  requireCustomFields(built)
  const { draft, provenance } = built
  const live = validBody(ctx, built)
  const data: PreviewData = {
    config: maskedIn({ ...draft.config }),
    provenance,
    unresolved: unresolved(live),
    rendered: textsOf(live),
  }
  return data
}
