import { isObject } from '../../../json/object.ts'
import type { Assistant } from '../conversation/line.ts'

type Fields = Record<string, unknown>

/** Characters of JSON that the messages of one call hold in full. */
const maxCharacters = 2_000_000
/** What a longer call's messages hold of the conversation so far. */
const newestMessages = 10

const lists = ['messages', 'messagesOpenAIFormatted']
const assistants = ['assistant', 'newAssistant', 'fromAssistant', 'toAssistant']

const sizeOf = (fields: Fields) => JSON.stringify(fields).length

const shortAssistant = ({ id, name }: Fields) => ({
  ...(id !== undefined && { id }),
  ...(name !== undefined && { name }),
})

/** The same message with its assistants' ids and names alone, and the newest of its conversation. */
function shortened(message: Fields): Fields {
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => {
      if (lists.includes(key) && Array.isArray(value)) return [key, value.slice(-newestMessages)]
      return assistants.includes(key) && isObject(value) ? [key, shortAssistant(value)] : [key, value]
    }),
  )
}

/**
 * Puts together the messages of one call, one after the other: in full until they hold two million characters, then
 * shortened. Each of hundreds would else repeat a prompt of any length and all that was said before it.
 * @param about what every message says of its call while an assistant is on the line
 */
export function boundedMessages(about: (assistant: Assistant | undefined) => Fields) {
  const known = new Map<Assistant | undefined, { said: Fields; size: number }>()
  const aboutOnce = (assistant: Assistant | undefined) => {
    const entry = known.get(assistant)
    if (entry) return entry
    const said = about(assistant)
    const made = { said, size: sizeOf(said) }
    known.set(assistant, made)
    return made
  }
  let held = 0
  return (fields: Fields, assistant: Assistant | undefined): Fields => {
    const { said, size } = aboutOnce(assistant)
    const message = { ...fields, ...said }
    if (held <= maxCharacters) held += sizeOf(fields) + size
    return held <= maxCharacters ? message : shortened(message)
  }
}
