/** How long the servers look again at a live write whose response was lost, in seconds. */
export const graceSeconds = 6

/** A write that was given up is delivered this much later, in milliseconds: within what the servers reckon with. */
export const lateMs: [number, number] = [500, 4_000]

/** How often servers look for what is left to do, in milliseconds. */
const sweepMs = 5_000

/** How long both sides have to stay equal where the journal cannot be read, until it must be empty. */
export const quietMs = graceSeconds * 1000 + sweepMs + 1_000
