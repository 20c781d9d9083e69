import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import { layersOf } from '../rendering/layers.ts'
import { mergeLayers } from '../rendering/merge-layers.ts'
import { isSystem } from '../rendering/prompt.ts'
import { loadSources } from '../rendering/sources.ts'
import type { AssistantConfig, ChatMessage } from '../schema.ts'
import type { Draft } from './draft.ts'
import type { WriteBody } from './schema.ts'

const messagesOf = ({ model }: AssistantConfig) => model?.messages ?? []
function withMessages(config: AssistantConfig, messages: ChatMessage[] | undefined): AssistantConfig {
  if (messages === undefined && !config.model) return config
  return withLeaves(config, [{ path: ['model', 'messages'], to: messages }])
}
const othersOf = (config: AssistantConfig) => messagesOf(config).filter((message) => !isSystem(message))

/**
 * A configuration with the messages that layers make now: their prompt, which no editor changes in its place (contract:
 * builder 18), and after it the other messages, those of an editor where they are not as they were built.
 */
export function withLayeredMessages(
  built: AssistantConfig,
  current: AssistantConfig,
  next: AssistantConfig,
): AssistantConfig {
  const own = othersOf(current)
  const isEdited = !Bun.deepEquals(own, othersOf(built))
  const messages = isEdited ? [...messagesOf(next).filter(isSystem), ...own] : next.model?.messages
  return withMessages(current, messages)
}

/**
 * A draft of an assistant that v2 built with the texts of its layers as they are after an editor's body that clears the messages:
 * the layers' prompt speaks again. The other settings of the layers wait for the next rebuild (record 0006).
 */
export async function withLayeredTexts(
  ctx: AccountContext,
  draft: Draft,
  body: z.output<typeof WriteBody>,
): Promise<Draft> {
  const { build } = draft
  if (!build || body.model?.messages !== null) return draft
  const next: AssistantConfig = mergeLayers(layersOf(await loadSources(ctx.db, draft), build.request)).config
  return {
    ...draft,
    build: { ...build, config: withMessages(build.config, next.model?.messages) },
    config: withLayeredMessages(build.config, draft.config, next),
  }
}
