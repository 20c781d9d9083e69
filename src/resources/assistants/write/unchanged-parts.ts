import type { z } from 'zod'
import type { AccountContext } from '../../../api/context.ts'
import { partsOfIssues, withoutParts } from '../../../api/unchanged-parts.ts'
import type { Json } from '../../../json/object.ts'
import { mergedWithLive } from '../outside/merged.ts'
import { type AssistantRowData, findAssistant } from '../read/find.ts'
import { assistantRecord } from '../read/record.ts'
import { AssistantPath } from '../schema.ts'
import { configFieldNames } from './schema.ts'
import { shownBy } from './unchanged-fields.ts'

/** The greeting and the end-call text, under every name that an editor has for them. */
const texts = ['firstMessage', 'first_message', 'endCallMessage', 'end_call_message'] as const

/** What layers bring: beside another layer it is said anew. */
const layered: readonly string[] = [...texts, 'model']

/** The body's fields that name a layer, and what a record has of it. */
const layersOf = (row: AssistantRowData): Json => ({
  template_id: row.templateId,
  prompt_template_id: row.templateId,
  industry_template_id: row.industryTemplateId,
  base_config_id: row.baseConfigId,
  layer2_key: row.layer2Key,
})

const isLayered = (row: AssistantRowData, input: Json): boolean =>
  Object.entries(layersOf(row)).some(([field, shown]) => input[field] !== undefined && input[field] !== shown)

/** What a record shows, in the names of the editors' bodies: texts with their placeholders, and rendered. */
function shownIn(row: AssistantRowData): Json[] {
  const { name, type, metadata, ...record } = assistantRecord(row)
  const { variable_values: values, webhook_url: url } = metadata
  const common = { name, type, metadata, variableValues: values, variable_values: values, server_url: url }
  const spoken = (first: string, last: string) => ({
    firstMessage: first,
    first_message: first,
    endCallMessage: last,
    end_call_message: last,
  })
  const { first_message, first_message_raw, end_call_message, end_call_message_raw } = record
  return [
    { ...shownBy(row), ...common, ...spoken(first_message_raw, end_call_message_raw) },
    spoken(first_message, end_call_message),
  ]
}

/** The fields of which two reads show what the live object has, which may have been changed since the last save. */
const live: ReadonlySet<string> = new Set(['name', 'metadata', 'server_url', ...texts, ...configFieldNames])

/**
 * What is left of an editor's refused input without what it repeats as a read of the assistant shows it: that may have
 * come from the live platform, beyond the bounds of requests (contract: assistants 44, assistants 45).
 */
export async function withoutUnchangedParts(
  ctx: AccountContext,
  input: Json,
  issues: readonly z.core.$ZodIssue[],
): Promise<Json | undefined> {
  const { data: path } = AssistantPath.safeParse(input)
  const row = path && (await findAssistant(ctx.db, ctx.scope, path.assistantId))
  if (!row) return undefined
  const isAnew = isLayered(row, input)
  const parts = partsOfIssues(input, issues).filter(([field = '']) => !(isAnew && layered.includes(field)))
  const stored = withoutParts(input, parts, shownIn(row))
  const isOpen = stored.left.some(([field = '']) => live.has(field))
  const now = isOpen ? await mergedWithLive(ctx, row) : row
  const { rest } = now === row ? stored : withoutParts(stored.rest, stored.left, shownIn(now))
  return rest === input ? undefined : rest
}
