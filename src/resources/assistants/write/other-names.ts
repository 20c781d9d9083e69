import { valueAt, withLeaves } from '../../../voice-platform/mirror/agreement/leaves.ts'
import type { Draft } from './draft.ts'

type Path = readonly string[]

/** A setting that can be stored under several names, of which the last one counts. */
interface Setting {
  /** Those that a request may say. */
  names: readonly Path[]
  /** The platform's own, of layers and imports: it counts before them, or beside them where all have to allow it. */
  native?: Path
  /** What a record shows under the first name where nothing is stored. */
  byDefault?: unknown
}

const denoising = 'backgroundSpeechDenoisingPlan'

const settings: readonly Setting[] = [
  {
    names: [['backgroundDenoisingEnabled'], [denoising, 'smartDenoising']],
    native: [denoising, 'smartDenoisingPlan', 'enabled'],
    byDefault: false,
  },
  { names: [[denoising, 'fourierDenoising']], native: [denoising, 'fourierDenoisingPlan', 'enabled'] },
  { names: [['artifactPlan', 'recording']], native: ['artifactPlan', 'recordingEnabled'] },
  { names: [['artifactPlan', 'transcript']], native: ['artifactPlan', 'transcriptPlan', 'enabled'] },
  {
    names: [
      ['artifactPlan', 'summary'],
      ['analysisPlan', 'summaryPlan', 'enabled'],
    ],
  },
  {
    names: [
      ['artifactPlan', 'analysis'],
      ['analysisPlan', 'successEvaluationPlan', 'enabled'],
    ],
  },
  {
    names: [
      ['startSpeakingPlan', 'initialDelayMs'],
      ['startSpeakingPlan', 'waitSeconds'],
    ],
  },
  {
    names: [
      ['stopSpeakingPlan', 'initialDelayMs'],
      ['stopSpeakingPlan', 'backoffSeconds'],
    ],
  },
  { names: [['keypadInputPlan', 'terminateOnHash']], native: ['keypadInputPlan', 'delimiters'] },
]

/** The other names under which a setting is stored that a body says anew. */
function otherNames({ names, native, byDefault }: Setting, config: object, body: object): Path[] {
  const said = names.findLast((name) => valueAt(body, name) != null)
  if (!said) return []
  const stored = names.map((name) => valueAt(config, name)).findLast((value) => value != null)
  if (Bun.deepEquals(valueAt(body, said), stored ?? (said === names[0] ? byDefault : undefined))) return []
  const others = native ? [...names, native] : names
  return others.filter((name) => valueAt(body, name) === undefined && valueAt(config, name) != null)
}

/**
 * A stored assistant without what a body says anew under another name: that would count before what is said, or go on
 * being shown beside it (contract: assistants 27).
 */
export function withoutOtherNames<Row extends Pick<Draft, 'config'>>(row: Row, body: object): Row {
  const others = settings.flatMap((setting) => otherNames(setting, row.config, body))
  if (others.length === 0) return row
  return {
    ...row,
    config: withLeaves(
      row.config,
      others.map((path) => ({ path, to: undefined })),
    ),
  }
}
