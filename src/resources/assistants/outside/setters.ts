import { isObject, type Json, ownValue } from '../../../json/object.ts'
import { toVoicemailDetection } from '../../../voice-platform/mapping/speech.ts'
import { isNothing, type Leaf, valueAt, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { Draft } from '../write/draft.ts'

/** A draft that might compose what was changed outside; whether it does is for the caller to see. */
export type Setter = (draft: Draft) => Draft

const withConfig = (draft: Draft, path: readonly string[], value: unknown): Draft => ({
  ...draft,
  config: withLeaves(draft.config, [{ path, to: isNothing(value) ? undefined : value }]),
})

const scaled = (value: unknown) => (typeof value === 'number' ? value * 1000 : value)

/** Switches that two plans share: what neither forbids is on. */
const shared =
  (own: readonly string[], compliance: string) =>
  (value: unknown): Setter =>
  (draft) => {
    const set = withConfig(draft, own, value)
    const isNamed = typeof valueAt(draft.config, ['compliancePlan', compliance]) === 'boolean'
    return isNamed ? withConfig(set, ['compliancePlan', compliance], value) : set
  }

const at =
  (...path: string[]) =>
  (value: unknown): Setter =>
  (draft) =>
    withConfig(draft, path, value)

/**
 * A denoiser: in its plan, or as the flag where the record has that alone; the platform's own name too where it is
 * stored.
 */
const denoiser =
  (own: string, flag?: string) =>
  (value: unknown): Setter =>
  (draft) => {
    const plan = 'backgroundSpeechDenoisingPlan'
    const isStored = (path: readonly string[]) => typeof valueAt(draft.config, path) === 'boolean'
    const planned = [plan, own]
    const native = [plan, `${own}Plan`, 'enabled']
    const name = flag !== undefined && isStored([flag]) && !isStored(planned) ? [flag] : planned
    const set = withConfig(draft, name, value)
    return isStored(native) ? withConfig(set, native, value) : set
  }

/** Where the record has another name, or another unit, for what the platform calls so. */
const renamed: Record<string, (value: unknown) => Setter> = {
  'backgroundSpeechDenoisingPlan.smartDenoisingPlan.enabled': denoiser('smartDenoising', 'backgroundDenoisingEnabled'),
  'backgroundSpeechDenoisingPlan.fourierDenoisingPlan.enabled': denoiser('fourierDenoising'),
  'artifactPlan.recordingEnabled': shared(['artifactPlan', 'recording'], 'recordingEnabled'),
  'artifactPlan.transcriptPlan.enabled': shared(['artifactPlan', 'transcript'], 'transcriptionEnabled'),
  'analysisPlan.summaryPlan.enabled': at('artifactPlan', 'summary'),
  'analysisPlan.successEvaluationPlan.enabled': at('artifactPlan', 'analysis'),
  'startSpeakingPlan.waitSeconds': (value) => at('startSpeakingPlan', 'initialDelayMs')(scaled(value)),
  'stopSpeakingPlan.backoffSeconds': (value) => at('stopSpeakingPlan', 'initialDelayMs')(scaled(value)),
  'keypadInputPlan.delimiters': (value) => at('keypadInputPlan', 'terminateOnHash')(value === '#'),
}
/** More than any name above has: what is longer is not written out for each leaf below it. */
const maxNameLength = 40

const renamedAt = (path: readonly string[]) =>
  path.some((key) => key.length > maxNameLength) ? undefined : ownValue(renamed, path.join('.'))

const toVoicemail =
  (value: unknown): Setter =>
  (draft) => {
    const { beepDetection: _beep, provider: _provider, ...kept }: Json = { ...draft.config.voicemailDetection }
    const detection = isObject(value) ? { ...kept, ...value, enabled: true } : { ...kept, enabled: false }
    return withConfig(draft, ['voicemailDetection'], detection)
  }

/** The message alone: detection, which a record that says nothing of it has with its message, stays as it is. */
const toVoicemailMessage =
  (value: unknown): Setter =>
  (draft) => {
    const { voicemailDetection: detection, voicemailMessage: message } = draft.config
    const enabled = toVoicemailDetection(detection, message) !== 'off'
    return withConfig(withConfig(draft, ['voicemailMessage'], value), ['voicemailDetection', 'enabled'], enabled)
  }

/** Values that no live object has: what is there under their name is none of them. */
const localKey = 'variable_values'

const toMetadata =
  (key: string | undefined, value: unknown): Setter =>
  (draft) => {
    const { variable_values } = draft.metadata
    const local = variable_values && { variable_values }
    if (key === undefined) {
      const { external_ref: _mark, [localKey]: _other, ...fields } = isObject(value) ? value : {}
      return { ...draft, metadata: { ...fields, ...local } }
    }
    const { [key]: _old, ...others }: Json = { ...draft.metadata }
    return { ...draft, metadata: isNothing(value) ? others : { ...others, [key]: value } }
  }

/** Parts that select an engine: taken whole where their settings do not fit one by one. */
const parts: ReadonlySet<string> = new Set(['voice', 'transcriber', 'model'])

/** A whole part as the live object has it, over what only the record has. */
export const wholePart =
  (field: string, leaves: readonly Leaf[], live: Json): Setter =>
  (draft) => {
    const theirs = live[field]
    if (!parts.has(field) || !isObject(theirs)) return draft
    const { messages: _own, ...settings } = theirs
    const removed = leaves.filter(({ to }) => isNothing(to)).map(({ path }) => ({ path: path.slice(1), to: undefined }))
    const config: Json = { ...draft.config }
    const stored = isObject(config[field]) ? config[field] : {}
    return withConfig(draft, [field], withLeaves({ ...stored, ...settings }, removed))
  }

/** Whether texts are rendered from a leaf. */
export const fillsTexts = ({ path }: Leaf): boolean => path[0] === 'name' || path[0] === 'metadata'

/** Whether a leaf is said in a way of its own: there are few such. */
export const hasOwnWay = ({ path }: Leaf): boolean =>
  ['name', 'server', 'voicemailMessage'].includes(path[0] ?? '') ||
  (['metadata', 'voicemailDetection'].includes(path[0] ?? '') && path.length === 1) ||
  renamedAt(path) !== undefined

/** Sets many leaves at once, of those that have no way of their own. */
export function setAll(leaves: readonly Leaf[]): Setter {
  const isLocal = ({ path }: Leaf) => path[0] === 'metadata' && path[1] === localKey
  const common = leaves.filter((leaf) => !hasOwnWay(leaf) && !isLocal(leaf))
  const { metadata = [], others = [] } = Object.groupBy(common, ({ path }) =>
    path[0] === 'metadata' ? 'metadata' : 'others',
  )
  const removed = (value: unknown) => (isNothing(value) ? undefined : value)
  return (draft) => ({
    ...draft,
    metadata: withLeaves(
      draft.metadata,
      metadata.map(({ path, to }) => ({ path: path.slice(1), to: removed(to) })),
    ),
    config: withLeaves(
      draft.config,
      others.map(({ path, to }) => ({ path, to: removed(to) })),
    ),
  })
}

/** The ways in which a record might say one leaf of its live object, the most telling first. */
export function settersOf({ path, from, to }: Leaf): Setter[] {
  const [field = '', second] = path
  // No request could send a name back that says nothing.
  if (field === 'name') return typeof to === 'string' && to.trim() !== '' ? [(draft) => ({ ...draft, name: to })] : []
  if (field === 'server') {
    const url = path.length === 1 ? valueAt(to, ['url']) : second === 'url' ? to : undefined
    const known = path.length === 1 ? isNothing(to) || typeof url === 'string' : second === 'url'
    return known ? [(draft) => ({ ...draft, webhookUrl: typeof url === 'string' && url !== '' ? url : null })] : []
  }
  if (field === 'metadata') return second === localKey ? [] : [toMetadata(second, to)]
  if (field === 'voicemailDetection' && path.length === 1) return [toVoicemail(to)]
  if (field === 'voicemailMessage') return [toVoicemailMessage(isNothing(to) ? '' : to)]
  const other = renamedAt(path)
  const same: Setter = (draft) => withConfig(draft, path, to)
  // A text or a list that is gone may be an empty one in the record, where none is a default.
  const empty = typeof from === 'string' ? '' : Array.isArray(from) ? [] : undefined
  const emptied: Setter = (draft) => ({ ...draft, config: withLeaves(draft.config, [{ path, to: empty }]) })
  return [...(other ? [other(to)] : []), same, ...(isNothing(to) && empty !== undefined ? [emptied] : [])]
}
