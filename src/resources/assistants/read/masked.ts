import { isObject } from '../../../json/object.ts'
import { maskedValue } from '../../history/mask.ts'
import type { AssistantConfig, Build } from '../schema.ts'
import type { AssistantRowData } from './find.ts'

/** Settings that no request takes: layers or the voice platform set them. */
const unsaid: ReadonlySet<string> = new Set(['observabilityPlan', 'credentials', 'hooks'])

/** Settings of which a record has keys without secrets alone, and ids, which are none. */
const harmless: ReadonlySet<string> = new Set(['model', 'voice', 'transcriber', 'credentialIds'])

/** A setting as readers see it: the same type as it is stored. */
const maskedSetting = (field: string, value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => maskedValue(field, item)) : maskedValue(field, value)

/** Whether a layer has a secret in a setting. */
const isSecret = (field: string, layered: unknown): boolean =>
  layered != null && !Bun.deepEquals(maskedSetting(field, layered), layered)

/** The settings in which a layer of a build has a secret, or had one when they were edited. */
function secretSettings({ config, secretEdits = [] }: Pick<Build, 'config' | 'secretEdits'>): Set<string> {
  const layered = Object.entries(config).filter(([field, value]) => isSecret(field, value))
  return new Set([...secretEdits, ...layered.map(([field]) => field)])
}

/**
 * The settings of a rebuilt assistant that stay as they were edited and may have a secret of the layers before: a list
 * is one setting with all that is in it.
 */
export function secretEditsOf(last: Build | null, edited: AssistantConfig, built: AssistantConfig): string[] {
  if (!last) return []
  const [is, becomes]: Record<string, unknown>[] = [edited, built]
  return [...secretSettings(last)].filter(
    (field) => is?.[field] != null && !Bun.deepEquals(is[field], becomes?.[field]),
  )
}

type Masked = Pick<AssistantRowData, 'config' | 'build'>

/**
 * The settings that a record shows otherwise than they are stored, masked: those in which a layer of the assistant has
 * a secret or had one when they were edited, and those that no request takes (contract: assistants 47).
 */
export function maskedSettings({ config, build }: Masked): Partial<AssistantConfig> {
  const masked: Record<string, unknown> = {}
  const secret = build ? secretSettings(build) : new Set()
  for (const [field, value] of Object.entries(config)) {
    const isOpen = (Array.isArray(value) || isObject(value)) && !harmless.has(field)
    if (isOpen && (unsaid.has(field) || secret.has(field))) masked[field] = maskedSetting(field, value)
  }
  return masked
}
