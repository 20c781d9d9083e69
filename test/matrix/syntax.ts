/** A part of a parsed statement. */
export type Node = Record<string, unknown>

/** What is expected to be a part, or an empty one. */
export const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {})

/** What is expected to be a list of parts, or an empty one. */
export const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.map(nodeOf) : [])

/** What is expected to be a text, or an empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
