const numbering = / \(\d+\)$/

/**
 * The steps of a request at which its server may die with a different state outside: after each statement that stands
 * alone, each commit and each call that changes the platform, and once the answer is computed. What dies in the middle
 * of a transaction leaves what dies before it.
 */
export function deaths(steps: string[]): string[] {
  const points = new Set<string>()
  let inTransaction = false
  for (const [index, step] of steps.entries()) {
    const kind = step.replace(numbering, '')
    const after = steps[index + 1]
    if (/^begin\b/.test(kind)) inTransaction = true
    else if (/^(commit|rollback)\b/.test(kind)) {
      inTransaction = false
      if (after) points.add(after)
    } else if (/^(POST|PATCH|DELETE) is done$/.test(kind)) points.add(step)
    else if (!inTransaction && /^(insert|update|delete)\b/.test(kind) && after) points.add(after)
  }
  const last = steps.at(-1)
  if (last) points.add(last)
  return [...points]
}
