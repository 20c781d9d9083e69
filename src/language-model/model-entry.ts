/** A model as LLM_MODELS names it. */
export interface ModelEntry {
  id: string
  contextTokens?: number
  outputTokens?: number
  /** False: its server takes no tools. */
  callsTools?: boolean
}

/** How an entry of LLM_MODELS looks. */
export const modelEntryForm = 'id or id;context=TOKENS;output=TOKENS;tools=no'

const bound = /^(context|output)=([1-9]\d{1,7})$/

/** An entry of LLM_MODELS such as `small;context=32000;output=2000`, or undefined when it has another form. */
export function modelEntry(text: string): ModelEntry | undefined {
  const [id = '', ...bounds] = text.split(';').map((part) => part.trim())
  const entry: ModelEntry = { id }
  for (const text of bounds) {
    if (text === 'tools=no') {
      entry.callsTools = false
      continue
    }
    const [, name, tokens] = bound.exec(text) ?? []
    if (name === undefined) return undefined
    entry[name === 'context' ? 'contextTokens' : 'outputTokens'] = Number(tokens)
  }
  return id === '' ? undefined : entry
}
