/** The columns of a number of which the outside has everything. */
export const inStep = { syncDueAt: null, syncOwner: null, syncAttempts: 0, syncError: null }
