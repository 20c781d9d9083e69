import type { client } from '../../../api/client.ts'
import { bothChanged, type Clash, changedFields, isObject, rebased } from '../../../parts/changes.ts'
import type { Assistant } from '../tabs.ts'

type Saving = Parameters<typeof client.assistants.updateAdvanced.mutate>[0]

/** What the form holds: fields named as the API writes them, and the rest as JSON. */
export interface Values {
  name: string
  type: Assistant['type']
  firstMessage: string
  firstMessageMode: Assistant['first_message_mode']
  firstMessageInterruptionsEnabled: boolean
  prompt: string
  voice: { voiceId: string; speed: number | '' }
  transcriber: { language: string }
  model: { maxTokens: number | ''; toolIds: string[] }
  endCallMessage: string
  endCallPhrases: string[]
  voicemailMessage: string
  maxDurationSeconds: number
  backgroundSound: string
  metadata: {
    company_name: string
    industry: string
    location: string
    webhook_url: string
    always_say: string[]
    never_say: string[]
  }
  rest: string
}

/** What is edited as JSON: the name of the write body, and where the record has it. */
const restFields = (assistant: Assistant): Record<string, unknown> => ({
  variableValues: assistant.metadata.variable_values,
  voicemailDetection: assistant.voicemail_detection,
  analysisPlan: assistant.analysis_plan,
  artifactPlan: assistant.artifact_plan,
  compliancePlan: assistant.compliance_plan,
  startSpeakingPlan: assistant.start_speaking_plan,
  stopSpeakingPlan: assistant.stop_speaking_plan,
  monitorPlan: assistant.monitor_plan,
  keypadInputPlan: assistant.keypad_input_plan,
  backgroundSpeechDenoisingPlan: assistant.background_speech_denoising_plan,
  clientMessages: assistant.client_messages,
  serverMessages: assistant.server_messages,
})

/** The prompt of the record, which shows that of an assistant that was built as it is rendered. */
export const systemPrompt = ({ model }: Assistant) =>
  model.messages.find(({ role }) => role === 'system')?.content ?? ''

/** The form's first values for an assistant with its prompt as it was written. */
export function valuesOf(assistant: Assistant, prompt: string): Values {
  const { metadata, voice, transcriber, model } = assistant
  return {
    name: assistant.name,
    type: assistant.type,
    firstMessage: assistant.first_message_raw,
    firstMessageMode: assistant.first_message_mode,
    firstMessageInterruptionsEnabled: assistant.first_message_interruptions_enabled,
    prompt,
    voice: { voiceId: voice.voiceId ?? '', speed: voice.speed ?? '' },
    transcriber: { language: transcriber.language ?? '' },
    model: { maxTokens: model.maxTokens ?? '', toolIds: model.toolIds },
    endCallMessage: assistant.end_call_message_raw,
    endCallPhrases: assistant.end_call_phrases,
    voicemailMessage: assistant.voicemail_message,
    maxDurationSeconds: assistant.max_duration_seconds,
    backgroundSound: assistant.background_sound,
    metadata: {
      company_name: metadata.company_name ?? '',
      industry: metadata.industry ?? '',
      location: metadata.location ?? '',
      webhook_url: assistant.webhook_url ?? '',
      always_say: metadata.always_say ?? [],
      never_say: metadata.never_say ?? [],
    },
    rest: JSON.stringify(restFields(assistant), null, 2),
  }
}

/** What is wrong with the JSON, or null. */
export function restProblem(text: string, assistant: Assistant): string | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'This must be a JSON object.'
    const known = Object.keys(restFields(assistant))
    const unknown = Object.keys(parsed).find((name) => !known.includes(name))
    return unknown === undefined ? null : `"${unknown}" is none of ${known.join(', ')}.`
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.'
  }
}

/** The values with what their JSON says, so that it is compared value by value; as text while it is none. */
function unfolded(values: Values): Omit<Values, 'rest'> & { rest: unknown } {
  try {
    return { ...values, rest: JSON.parse(values.rest) }
  } catch {
    return values
  }
}

/** What two changed, each in another way. */
export const clashesOf = (before: Values, mine: Values, theirs: Values): Clash[] =>
  bothChanged(unfolded(before), unfolded(mine), unfolded(theirs))

/** What the server has now, with what was typed since `sent`. */
export function rebasedValues(sent: Values, now: Values, fresh: Values): Values {
  const { rest, ...values } = rebased(unfolded(sent), unfolded(now), unfolded(fresh))
  return { ...values, rest: typeof rest === 'string' ? rest : JSON.stringify(rest, null, 2) }
}

/** An emptied field is cleared. */
const sent = (value: unknown) => (value === '' ? null : value)

/** Those keys of an object that differ from before. */
function changedKeys(before: object, after: object): Record<string, unknown> | undefined {
  const changed = Object.entries(changedFields(before, after))
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map(([name, value]) => [name, sent(value)]))
}

/** An object with a null for each key that was taken away: a save keeps what is not said. */
const withRemoved = (before: object, after: object): object => ({
  ...Object.fromEntries(Object.keys(before).map((name) => [name, null])),
  ...after,
})

/** What changed in the JSON; of an object those keys that changed, which a save merges onto the stored ones. */
function changedRest(before: string, after: string): Record<string, unknown> {
  const stored: object = JSON.parse(before)
  const old = new Map<string, unknown>(Object.entries(stored))
  const changed = Object.entries(changedKeys(stored, withRemoved(stored, JSON.parse(after))) ?? {})
  return Object.fromEntries(
    changed.map(([name, value]) => {
      const was = old.get(name)
      return [name, isObject(was) && isObject(value) ? changedKeys(was, withRemoved(was, value)) : value]
    }),
  )
}

/**
 * The write that turns one state of the form into another: only what changed, so that others' changes stay.
 * @param assistant as it is now: its name and its other messages go with a write, where they were not changed
 */
export function changesOf(assistant: Assistant, before: Values, after: Values): Saving {
  const { rest, prompt, voice, transcriber, model, metadata, ...plain } = after
  const {
    rest: _rest,
    prompt: _prompt,
    voice: _voice,
    transcriber: _transcriber,
    model: _model,
    metadata: _metadata,
    ...old
  } = before
  const others = assistant.model.messages.filter(({ role }) => role !== 'system')
  const messages =
    prompt === before.prompt ? undefined : [...(prompt ? [{ role: 'system', content: prompt }] : []), ...others]
  const modelChanges = changedKeys(before.model, model)
  return {
    ...changedKeys(old, plain),
    ...changedRest(before.rest, rest),
    assistantId: assistant.assistant_id,
    name: after.name === before.name ? assistant.name : after.name,
    voice: changedKeys(before.voice, voice),
    transcriber: changedKeys(before.transcriber, transcriber),
    model: modelChanges || messages ? { ...modelChanges, ...(messages && { messages }) } : undefined,
    metadata: changedKeys(before.metadata, metadata),
  }
}

/** The form's field for a field of the API. */
export const fieldOf = (path: string, values: Values): string => {
  if (path.startsWith('model.messages') || path === 'system_prompt') return 'prompt'
  const [top = ''] = path.split('.')
  if (!(top in values)) return 'rest'
  return /^(endCallPhrases|model\.toolIds|metadata\.(always|never)_say)\./.test(path)
    ? path.replace(/\.\d+$/, '')
    : path
}
