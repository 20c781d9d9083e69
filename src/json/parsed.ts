/** The value that a text is the JSON of; undefined, which no JSON is, where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text that bytes are in UTF-8; undefined for bytes that are none. */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The value that bytes are the JSON of, in UTF-8; undefined where they are none. */
export const parsedBytes = (bytes: Uint8Array): unknown => parsedJson(decodedText(bytes) ?? '')
