import type { AccountContext } from '../../api/context.ts'
import { ApiError, type FieldErrors } from '../../api/errors/api-error.ts'
import { ownValue } from '../../json/object.ts'
import type { LiveAssistantBody } from '../../voice-platform/mapping/live-assistant.ts'
import { isCallVariable } from '../../voice-platform/mapping/variables.ts'
import { refusedByPlatform } from '../../voice-platform/schema/rules.ts'
import type { AssistantRowData } from '../assistants/read/find.ts'
import { liveBody, placeholdersIn } from '../assistants/rendering/render.ts'
import { refusedConfig } from '../assistants/write/config-rules.ts'
import { emptyDraft } from '../assistants/write/draft.ts'
import { maskedIn } from '../history/mask.ts'
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

type Checked = Pick<AssistantRowData, 'live' | 'config'>

/** What breaks the platform's rules, or the write body's. */
const refusedIn = ({ live, config }: Checked): FieldErrors => ({ ...refusedByPlatform(live), ...refusedConfig(config) })

/**
 * The live body of what was built, `stored` being the assistant before an update. Throws 422 for what breaks the write
 * body's rules, or the platform's own, but for what the assistant has already: it may come from the live platform
 * (contract: assistants 45).
 */
export function validBody(
  ctx: AccountContext,
  { draft, sources }: Built,
  stored?: Checked & Pick<AssistantRowData, 'assistantId'>,
): LiveAssistantBody {
  const live = liveBody(stored?.assistantId ?? crypto.randomUUID(), draft, sources, ctx.settings)
  const refused = Object.entries(refusedIn({ live, config: draft.config }))
  if (refused.length === 0) return live
  const before = stored ? refusedIn(stored) : {}
  const fields = Object.fromEntries(refused.filter(([path, texts]) => !Bun.deepEquals(ownValue(before, path), texts)))
  if (Object.keys(fields).length > 0) throw new ApiError('v2_config_invalid', { fields })
  return live
}

/**
 * Merges the layers and checks the result against the write body's rules and the platform's own, as far as they are
 * known here. Creates nothing, anywhere (contract: builder 6). Nobody sees a secret of the layers
 * (contract: builder 20). Throws 422 for references that do not exist, for required custom fields without a value,
 * without a base config, and for what the merged configuration breaks.
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
