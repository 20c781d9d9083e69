import type { LiveAssistantBody } from '../../../voice-platform/mapping/live-assistant.ts'
import {
  type Leaf,
  leavesBetween,
  overlap,
  valueAt,
  withLeaves,
} from '../../../voice-platform/mirror/agreement/leaves.ts'
import { merge } from '../../../voice-platform/mirror/agreement/merge.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { systemPromptIn } from '../rendering/prompt.ts'
import { renderer } from '../rendering/render.ts'
import type { Sources } from '../rendering/sources.ts'
import type { assistants } from '../table.ts'
import { type Draft, liveBody } from '../write/draft.ts'
import { ownPrompt } from './prompt.ts'
import { type Setter, settersOf, wholePart } from './setters.ts'

type Row = typeof assistants.$inferSelect

/** An assistant with what was changed outside. */
export interface AdoptedAssistant {
  /** The columns as they become, `live` being the live object as it is outside. */
  columns: Draft & { live: LiveAssistantBody }
  /** What the record then composes by itself. */
  composed: LiveAssistantBody
  sources: Sources
  /** What the history says besides. */
  note?: string
}

const draftOf = (row: Row): Draft => ({
  name: row.name,
  type: row.type,
  templateId: row.templateId,
  personalityId: row.personalityId,
  baseConfigId: row.baseConfigId,
  industryTemplateId: row.industryTemplateId,
  layer2Key: row.layer2Key,
  kept: row.kept,
  build: row.build,
  webhookUrl: row.webhookUrl,
  metadata: row.metadata,
  config: row.config,
})

const same = (one: unknown, other: unknown) => leavesBetween({ value: one }, { value: other }).length === 0
const messages = ['model', 'messages'] as const
const maxRendered = 1_000_000

/**
 * Puts what was changed outside into an assistant, leaf by leaf: a record's field is set only where the record then
 * composes exactly what the live object has. What it has no field for stays in the live body alone, from where later
 * saves send it again. A prompt that was changed becomes the assistant's own text.
 */
export function adoptOutside(
  row: Row,
  loaded: Sources,
  outside: Outside,
  options: { backgroundSoundBaseUrl: string | undefined },
): AdoptedAssistant {
  const base = outside.base as Outside<LiveAssistantBody>['base']
  const { changes, live } = outside
  let state = { draft: draftOf(row), sources: loaded }
  let composed = liveBody(row.assistantId, state.draft, state.sources, options)

  const isTheirs = (leaf: Leaf) =>
    changes.some(({ path }) => overlap(path, leaf.path)) && same(leaf.to, valueAt(live, leaf.path))

  /** Takes a draft that composes something of theirs and nothing else. */
  const accept = (next: typeof state): boolean => {
    try {
      const made = liveBody(row.assistantId, next.draft, next.sources, options)
      const moved = leavesBetween(composed, made)
      if (moved.length === 0 || !moved.every(isTheirs)) return false
      state = next
      composed = made
      return true
    } catch {
      // What outside is no error may be too long, or of another type than a record has.
      return false
    }
  }
  const attempt = (setter: Setter) => accept({ ...state, draft: setter(state.draft) })
  const isOpen = ({ path, to }: Leaf) => !same(valueAt(composed, path), to)

  const spoken = changes.some(({ path }) => overlap(path, messages)) ? valueAt(live, messages) : undefined
  let note: string | undefined
  if (spoken !== undefined) {
    const render = (text: string) => renderer(state.draft.name, state.draft.metadata)('messages', maxRendered)(text)
    const isPrompt = systemPromptIn(spoken) !== systemPromptIn(valueAt(composed, messages))
    const kept = (state.draft.config.model?.messages ?? []).filter(({ role }) => role === 'system')
    const others = Array.isArray(spoken) ? spoken.filter((one) => valueAt(one, ['role']) !== 'system') : []
    const list = [...kept, ...others]
    if (!isPrompt) attempt((draft) => ({ ...draft, config: withLeaves(draft.config, [{ path: messages, to: list }]) }))
    else if (accept(ownPrompt(state.draft, state.sources, spoken, render))) {
      note = "The prompt was changed on the voice platform: it is the assistant's own text from now on"
    }
  }
  for (const leaf of changes) if (isOpen(leaf)) settersOf(leaf).some(attempt)
  for (const field of ['voice', 'transcriber', 'model']) {
    const open = changes.filter((leaf) => leaf.path[0] === field && isOpen(leaf))
    if (open.length > 0) attempt(wholePart(field, open, live))
  }

  const taken = changes.filter((leaf) => !isOpen(leaf))
  return {
    columns: { ...state.draft, live: merge(base, changes, base.composed).body },
    composed: withLeaves(
      base.composed,
      taken.map(({ path }) => ({ path, to: valueAt(composed, path) })),
    ),
    sources: state.sources,
    ...(note !== undefined && { note }),
  }
}
