import { isObject } from '../../../json/object.ts'
import { nextPart } from '../conversation/parts.ts'
import { withoutSecrets } from '../without-secrets.ts'

type Fields = Record<string, unknown>

/** Characters of JSON that the messages of one call hold in full. */
const maxCharacters = 2_000_000
/** What a longer call's messages hold of the conversation so far. */
const newestMessages = 10

const lists = ['messages', 'messagesOpenAIFormatted']
const assistants = ['assistant', 'newAssistant', 'fromAssistant', 'toAssistant']
const numbers = ['phoneNumber']

const sizeOf = (fields: Fields) => JSON.stringify(fields).length

const shortAssistant = ({ id, name }: Fields) =>
  withoutSecrets({ ...(id !== undefined && { id }), ...(name !== undefined && { name }) })

/** The same message with its assistants' ids and names alone, and the newest of its conversation. */
function shortened(message: Fields): Fields {
  return Object.fromEntries(
    Object.entries(message).map(([key, value]) => {
      if (lists.includes(key) && Array.isArray(value)) return [key, value.slice(-newestMessages)]
      return assistants.includes(key) && isObject(value) ? [key, shortAssistant(value)] : [key, value]
    }),
  )
}

/** Shows what a message has under some keys, without secrets: each object once, and one in a turn of the event loop. */
function shownMessages() {
  const known = new Map<Fields, Promise<Fields>>()
  const shown = (value: Fields): Promise<Fields> => {
    const made = known.get(value) ?? nextPart().then(() => withoutSecrets(value))
    known.set(value, made)
    return made
  }
  return async (message: Fields, keys: readonly string[]): Promise<Fields> => {
    const told = { ...message }
    for (const key of keys) {
      const value = message[key]
      if (isObject(value)) told[key] = await shown(value)
    }
    return told
  }
}

/**
 * Puts together the messages of one call, one after the other: in full until they hold two million characters, then
 * shortened. Each of hundreds would else repeat a prompt of any length and all that was said before it. The assistants
 * and the number in a message are given as they are stored, and told without their secrets.
 */
export function boundedMessages() {
  const shown = shownMessages()
  let held = 0
  return async (message: Fields): Promise<Fields> => {
    const short = () => shown(shortened(message), numbers)
    if (held > maxCharacters) return short()
    const full = await shown(message, [...assistants, ...numbers])
    held += sizeOf(full)
    return held <= maxCharacters ? full : short()
  }
}
