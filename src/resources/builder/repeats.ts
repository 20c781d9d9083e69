import type { AssistantRowData } from '../assistants/read/find.ts'
import { isShownText } from '../assistants/write/repeats.ts'
import { layerFields } from './layers.ts'
import type { BuildBody } from './schema.ts'

const texts = [
  ['first_message', 'firstMessage'],
  ['firstMessage', 'firstMessage'],
  ['end_call_message', 'endCallMessage'],
  ['endCallMessage', 'endCallMessage'],
] as const

/**
 * A body without the texts that it repeats as the record shows them: who reads a record, changes its company and sends
 * all of it keeps the placeholders of its layers. Texts that are said together with other layers are the request's own.
 */
export function withoutShownTexts<Body extends BuildBody>(row: AssistantRowData, body: Body): Body {
  const isSwitched = layerFields.some(
    ({ field, reference, source }) =>
      body[field] !== undefined && (body[field] !== row[reference] || row.kept?.[source] !== undefined),
  )
  if (isSwitched) return body
  const repeated = texts.filter(([name, field]) => body[name] !== undefined && isShownText(row, field, body[name]))
  return { ...body, ...Object.fromEntries(repeated.map(([name]) => [name, undefined])) }
}
