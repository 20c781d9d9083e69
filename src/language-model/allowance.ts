/** Tokens that a turn, or one call of a model, takes in and gives out. */
export interface Usage {
  promptTokens: number
  completionTokens: number
}

/** What two take together. */
export const sumOf = (one: Usage, other: Usage): Usage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
})

/** What a turn may take of who pays for it: asked before each call of the model, told after it. */
export interface Allowance {
  /** What the turn's calls may write at most, as it began. */
  readonly maxCompletionTokens: number
  /** What its calls took so far. */
  readonly used: Readonly<Usage>
  /**
   * Sets aside what one more call takes: all of its prompt, and as much of its `completionTokens` as can be had.
   * @param leastCompletion what the call is not worth making below
   */
  cover(call: Usage, leastCompletion: number): Promise<{ completionTokens: number } | { refused: Error }>
  /** A call took so much. */
  count(usage: Usage): void
}

/** An allowance whose calls leave `reserve` for a later one, until another is set. */
export function reservingAllowance(allowance: Allowance) {
  const none: Usage = { promptTokens: 0, completionTokens: 0 }
  let reserve = none
  const reserving: Allowance = {
    maxCompletionTokens: allowance.maxCompletionTokens,
    get used() {
      return allowance.used
    },
    async cover(call, leastCompletion) {
      const covered = await allowance.cover(sumOf(call, reserve), leastCompletion + reserve.completionTokens)
      return 'refused' in covered ? covered : { completionTokens: covered.completionTokens - reserve.completionTokens }
    },
    count: allowance.count,
  }
  return {
    allowance: reserving,
    reserve(usage: Usage = none) {
      reserve = usage
    },
  }
}
