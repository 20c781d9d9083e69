import type { Executor } from '../../../db/client.ts'
import type { LiveAssistantBody } from '../../../voice-platform/mapping/live-assistant.ts'
import {
  type Adoption,
  createAdoption,
  inGroups,
  maxGroups,
} from '../../../voice-platform/mirror/agreement/adoption.ts'
import { type Leaf, valueAt, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import { merge } from '../../../voice-platform/mirror/agreement/merge.ts'
import { overlapping } from '../../../voice-platform/mirror/agreement/overlap.ts'
import type { Outside } from '../../../voice-platform/mirror/agreement/survey.ts'
import { ownOutside } from '../../references/own.ts'
import { isSystem, systemPromptIn } from '../rendering/prompt.ts'
import { liveBody, renderer } from '../rendering/render.ts'
import { loadSources, type Sources } from '../rendering/sources.ts'
import { type TemplateTexts, textFields } from '../rendering/spoken-texts.ts'
import type { assistants } from '../table.ts'
import { type Draft, draftIn } from '../write/draft.ts'
import { ownPrompt } from './prompt.ts'
import { fillsTexts, hasOwnWay, type Setter, setAll, settersOf, wholePart } from './setters.ts'
import { isShowable } from './showable.ts'

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

/**
 * What an assistant is made from, with the texts that its template brought when they were rendered: it may have others
 * since.
 */
const asRendered = ({ template, ...sources }: Sources, texts: TemplateTexts | null): Sources => ({
  ...sources,
  ...(template && { template: { ...template, ...texts } }),
})

interface State {
  draft: Draft
  sources: Sources
}

const messages = ['model', 'messages'] as const
const texts = [...textFields.map((field) => [field]), messages]
const textOf = (path: readonly string[]) => texts.find((text) => text.every((key, depth) => path[depth] === key))
/** A step that leaves the settings as they are renders texts anew alone. */
const textAt = (path: readonly string[], from: State, to: State) =>
  from.draft.config === to.draft.config ? textOf(path) : undefined
const maxRendered = 1_000_000
const promptNote = "The prompt was changed on the voice platform: it is the assistant's own text from now on"

/** Takes the messages of the live object; returns whether the prompt among them became the assistant's own. */
function takeMessages(adoption: Adoption<State>, spoken: unknown, before: unknown): boolean {
  const { draft, sources } = adoption.state
  if (systemPromptIn(spoken) === systemPromptIn(before)) {
    const own = (draft.config.model?.messages ?? []).filter(isSystem)
    const others = Array.isArray(spoken) ? spoken.filter((one) => valueAt(one, ['role']) !== 'system') : []
    const config = withLeaves(draft.config, [{ path: messages, to: [...own, ...others] }])
    adoption.accept({ sources, draft: { ...draft, config } })
    return false
  }
  const render = (text: string) => renderer(draft, sources)('messages', maxRendered)(text)
  return adoption.accept(ownPrompt(draft, sources, spoken, render))
}

/**
 * Puts what was changed outside into an assistant, leaf by leaf: a record's field is set only where the record then
 * composes exactly what the live object has, and can be shown; texts that are rendered from it, and that nobody changed
 * outside, stay there as they are until the next save renders them. What it has no field for stays in the live body
 * alone, from where later saves send it again, and so does what names an object that its workspace does not have. A
 * prompt that was changed becomes the assistant's own text.
 */
export async function adoptOutside(
  { db, settings }: { db: Executor; settings: { backgroundSoundBaseUrl: string | undefined } },
  row: Row,
  outside: Outside,
): Promise<AdoptedAssistant> {
  const base = outside.base as Outside<LiveAssistantBody>['base']
  const own = await ownOutside(db, row.workspaceId, outside)
  const { changes, live } = own
  const compose = ({ draft, sources }: State) => liveBody(row.assistantId, draft, sources, settings)
  const start = { draft: draftIn(row), sources: asRendered(await loadSources(db, row), row.templateTexts) }
  const shownOnly = (state: State) => {
    const composed = compose(state)
    return state === start || isShowable(state.draft, composed) ? composed : undefined
  }
  const adoption = createAdoption<State>(own, start, shownOnly, textAt)
  const attempt = (setter: Setter) => adoption.accept({ ...adoption.state, draft: setter(adoption.state.draft) })

  const areMessagesChanged = overlapping(changes.map(({ path }) => path))(messages)
  const isOwn = areMessagesChanged && takeMessages(adoption, valueAt(live, messages), valueAt(compose(start), messages))
  const take = (leaves: readonly Leaf[]) => {
    for (const group of inGroups(leaves)) {
      const isAlone = group.length === 1
      for (const leaf of group) if ((isAlone || hasOwnWay(leaf)) && adoption.isOpen(leaf)) settersOf(leaf).some(attempt)
      const open = isAlone ? [] : group.filter(adoption.isOpen)
      if (open.length > 0) attempt(setAll(open))
    }
  }
  take(changes)
  // A text that was changed as well may be the assistant's own by now, so that nothing else renders it.
  const again = changes.filter((leaf) => fillsTexts(leaf) && adoption.isOpen(leaf))
  const isTextTaken = changes.some((leaf) => textOf(leaf.path) && !adoption.isOpen(leaf))
  if (isTextTaken && again.length <= maxGroups) take(again)
  for (const field of ['voice', 'transcriber', 'model']) {
    const open = changes.filter((leaf) => leaf.path[0] === field && adoption.isOpen(leaf))
    if (open.length > 0) attempt(wholePart(field, open, live))
  }
  return {
    columns: { ...adoption.state.draft, live: merge(base, outside.changes, base.composed).body },
    composed: adoption.composed() as LiveAssistantBody,
    sources: adoption.state.sources,
    ...(isOwn && { note: promptNote }),
  }
}
