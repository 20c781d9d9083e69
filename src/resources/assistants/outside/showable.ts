import { quickParse } from '../../../api/schema-compiler/compiled-schema.ts'
import type { Json } from '../../../json/object.ts'
import type { AssistantRowData } from '../read/find.ts'
import { assistantRecord, fittingMetadata } from '../read/record.ts'
import { Assistant, type AssistantConfig, type StoredMetadata } from '../schema.ts'
import type { Draft } from '../write/draft.ts'

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

/** The draft without what a record could not show, such as a number where it has a text: that is kept in the live object alone. */
export function showable(draft: Draft, live: AssistantRowData['live']): Draft {
  const fields = unshownFields(draft, live)
  const metadata = fittingMetadata(draft.metadata) as StoredMetadata
  const config: Json = { ...draft.config }
  for (const field of fields) delete config[field]
  return { ...draft, metadata, config: config as AssistantConfig }
}

/** Whether a record can show all of a draft. */
export const isShowable = (draft: Draft, live: AssistantRowData['live']): boolean =>
  Object.keys(fittingMetadata(draft.metadata)).length === Object.keys(draft.metadata).length &&
  unshownFields(draft, live).length === 0
