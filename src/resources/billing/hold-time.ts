/** How long a hold outlives a crash of the process that runs its turn, which renews it meanwhile. */
export const holdMs = 8_000
