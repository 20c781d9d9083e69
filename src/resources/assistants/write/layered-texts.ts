import { withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import { layersOf } from '../rendering/layers.ts'
import { mergeLayers } from '../rendering/merge-layers.ts'
import { isSystem } from '../rendering/prompt.ts'
import type { Sources } from '../rendering/sources.ts'
import { type SpokenField, spokenFields, type TemplateTexts } from '../rendering/spoken-texts.ts'
import type { AssistantConfig, ChatMessage } from '../schema.ts'
import type { Draft } from './draft.ts'

const messagesOf = ({ model }: AssistantConfig) => model?.messages ?? []
const othersOf = (config: AssistantConfig) => messagesOf(config).filter((message) => !isSystem(message))

function withMessages(config: AssistantConfig, messages: ChatMessage[] | undefined): AssistantConfig {
  if (messages === undefined && !config.model) return config
  return withLeaves(config, [{ path: ['model', 'messages'], to: messages }])
}

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
  return withMessages(current, isEdited ? [...messagesOf(next).filter(isSystem), ...own] : next.model?.messages)
}

const withSpoken = (config: AssistantConfig, next: AssistantConfig, fields: readonly SpokenField[]) =>
  withLeaves(
    config,
    fields.map((field) => ({ path: [field], to: next[field] })),
  )

/** Which texts the layers say anew. */
interface Anew {
  /** Whether the greeting and the end-call text are among them: another template brings others, or none. */
  spoken: boolean
  /** Those that are the assistant's own from now on, although they may be as they were built. */
  own: readonly SpokenField[]
}

/**
 * An assistant that v2 built with the prompt, and the spoken texts, that its layers make now; what an editor set or
 * took away stays. The other settings of the layers wait for the next rebuild (record 0006).
 */
export function withLayeredTexts(draft: Draft, sources: Sources, { spoken, own }: Anew): Draft {
  const { build, config } = draft
  if (!build) return draft
  const next: AssistantConfig = mergeLayers(layersOf(sources, build.request)).config
  const fields = spoken ? spokenFields : []
  const unedited = fields.filter((field) => !own.includes(field) && config[field] === build.config[field])
  const built = withMessages(withSpoken(build.config, next, fields), next.model?.messages)
  return {
    ...draft,
    build: { ...build, config: built },
    config: withLayeredMessages(build.config, withSpoken(config, next, unedited), next),
  }
}

/** What decides whether a text is the layers'. */
interface Brought {
  /** Texts that are the assistant's own from now on. */
  own: readonly SpokenField[]
  /** What its template brought at the last save. */
  before: TemplateTexts | null
}

/**
 * An assistant that v2 built with the greeting and the end-call text that its template and preset bring now: they go
 * with the prompt, which is theirs as it is now. What an editor set or took away stays, and so does what its base
 * config brought (contract: versions 13).
 */
export function withCurrentTexts(draft: Draft, sources: Sources, { own, before }: Brought): Draft {
  const { build, config } = draft
  if (!build) return draft
  const { baseConfig: _asBuilt, ...rewritten } = sources
  const next: AssistantConfig = mergeLayers(layersOf(sources, build.request)).config
  const above: AssistantConfig = mergeLayers(layersOf(rewritten, build.request)).config
  const fields = spokenFields.filter((field) => {
    const was = build.config[field]
    const isBrought = above[field] != null || (was != null && was === before?.[field])
    return isBrought && !own.includes(field) && config[field] === was
  })
  return {
    ...draft,
    build: { ...build, config: withSpoken(build.config, next, fields) },
    config: withSpoken(config, next, fields),
  }
}
