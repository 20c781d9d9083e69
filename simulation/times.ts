/** The mirror's times in a simulation; what is late comes within `graceMs`. */
export const mirrorTimes = { leaseMs: 6_000, waitMs: 15_000, graceMs: 12_000, pauseMs: 500 }
export const sweepMinutes = 1
/**
 * For how long an instance stands still that has decided to send something: nobody can take back what leaves after its
 * lease.
 */
export const maxSendMs = 4_000
