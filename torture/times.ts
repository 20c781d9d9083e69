/** How long the servers look again at a live write whose response was lost, in seconds. */
export const graceSeconds = 6

/** A write that was given up is delivered this much later, in milliseconds: within what the servers reckon with. */
export const lateMs: [number, number] = [500, 4_000]

/**
 * How long both sides have to stay equal where the journal cannot be read: then no late write is looked for any more.
 */
export const quietMs = graceSeconds * 1000 + 1_500
