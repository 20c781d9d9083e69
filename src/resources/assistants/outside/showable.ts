import { quickParse } from '../../../api/schema-compiler/compiled-schema.ts'
import type { Json } from '../../../json/object.ts'
import type { AssistantRowData } from '../read/find.ts'
import { assistantRecord, fittingMetadata } from '../read/record.ts'
import { Assistant, type AssistantConfig, type StoredMetadata } from '../schema.ts'
import { type Draft, tooLargeIn } from '../write/draft.ts'

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What stands in a row that is only looked at for whether its record can be shown. */
const shownRow = {
  id: 1,
  assistantId: '',
  voiceAssistantId: '',
  userId: 1,
  createdBy: 1,
  resellerId: 1,
  workspaceId: 1,
  phoneNumber: null,
  phoneNumberId: null,
  widgetEmbedConfig: null,
  templateTexts: null,
  publicKey: '',
  createdAt: new Date(0),
  updatedAt: new Date(0),
} as const

const parse = quickParse(Assistant)

/** The fields of a draft's configuration, by their names there, for whose values a record has no type. */
function unshownFields(draft: Draft, live: AssistantRowData['live']): string[] {
  const issues = parse(assistantRecord({ ...shownRow, ...draft, live })).error?.issues ?? []
  return issues.map(({ path }) => camel(String(path[0])).replace(/Raw$/, ''))
}

/** The draft without a field, by its name in a write body. */
function without({ config, metadata, ...draft }: Draft, field: string): Draft {
  const { variable_values: values, ...own } = metadata
  if (field === 'metadata') return { ...draft, config, metadata: values ? { variable_values: values } : {} }
  if (field === 'variableValues') return { ...draft, config, metadata: own }
  const { [field]: _left, ...rest }: Json = { ...config }
  return { ...draft, metadata, config: rest as AssistantConfig }
}

/**
 * The draft without what a record could not show, such as a number where it has a text, and without the largest fields
 * of one that is too large to be saved: that is kept in the live object alone.
 */
export function showable(draft: Draft, live: AssistantRowData['live']): Draft {
  const metadata = fittingMetadata(draft.metadata) as StoredMetadata
  let shown = unshownFields(draft, live).reduce(without, { ...draft, metadata })
  for (let field = tooLargeIn(shown); field !== undefined; field = tooLargeIn(shown)) shown = without(shown, field)
  return shown
}

/** Whether a record can show all of a draft, and a save of it is not too large. */
export const isShowable = (draft: Draft, live: AssistantRowData['live']): boolean =>
  tooLargeIn(draft) === undefined &&
  Object.keys(fittingMetadata(draft.metadata)).length === Object.keys(draft.metadata).length &&
  unshownFields(draft, live).length === 0
