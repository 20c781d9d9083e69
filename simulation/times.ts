/** The mirror's times in a simulation; what is late comes within `graceMs`. */
export const mirrorTimes = { leaseMs: 6_000, waitMs: 15_000, graceMs: 12_000, pauseMs: 500 }
export const sweepMinutes = 1
