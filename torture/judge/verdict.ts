/** What was found, by what it breaks. */
export interface Verdict {
  divergences: string[]
  money: string[]
  losses: string[]
  histories: string[]
}

export const clean = (): Verdict => ({ divergences: [], money: [], losses: [], histories: [] })

/** Adds what another judge found. */
export function merge(into: Verdict, found: Partial<Verdict>): void {
  for (const name of ['divergences', 'money', 'losses', 'histories'] as const) into[name].push(...(found[name] ?? []))
}
