import { configFieldNames } from '../../src/resources/assistants/write/schema.ts'

type Json = Record<string, unknown>

const inRecord = (field: string) => {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return field === 'firstMessage' || field === 'endCallMessage' ? `${name}_raw` : name
}

/** A record as a write body: everything that the editors take, as it was read. */
export function writtenBack(record: Json): Json {
  const settings = configFieldNames.map((field) => [field, record[inRecord(field)]])
  const { name, type, template_id, personality_id, metadata: data } = record
  const variableValues = (data as Json).variable_values
  return { ...Object.fromEntries(settings), name, type, template_id, personality_id, metadata: data, variableValues }
}

/** A record that v2 shows as its own body: everything that the builder takes, as it was read. */
export function builtBack(record: Json): Json {
  const { name, type, template_id, personality_id, first_message, end_call_message, webhook_url, metadata } = record
  return {
    ...{ name, type, personality_id, first_message, end_call_message, metadata },
    ...(record.build_context as Json),
    prompt_template_id: template_id,
    server_url: webhook_url,
    variable_values: (metadata as Json).variable_values,
  }
}
