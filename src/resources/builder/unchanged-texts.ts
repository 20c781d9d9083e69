import type { AssistantRowData } from '../assistants/read/find.ts'
import { isShownText } from '../assistants/write/unchanged-fields.ts'
import { chosenLayers } from './layers.ts'
import type { BuildBody } from './schema.ts'
import { spokenTexts } from './spoken-texts.ts'

/**
 * A body without the texts that it repeats as the record shows them: who reads a record, changes its company and sends
 * all of it keeps the placeholders of its layers. Texts that are said together with other layers are the request's own.
 */
export function withoutUnchangedTexts<Body extends BuildBody>(row: AssistantRowData, body: Body): Body {
  if (chosenLayers(row, body).length > 0) return body
  const { firstMessage, endCallMessage } = spokenTexts(body)
  return {
    ...body,
    ...(isShownText(row, 'firstMessage', firstMessage) && { first_message: undefined, firstMessage: undefined }),
    ...(isShownText(row, 'endCallMessage', endCallMessage) && {
      end_call_message: undefined,
      endCallMessage: undefined,
    }),
  }
}
