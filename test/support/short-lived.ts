const unoptimised = { BUN_JSC_useDFGJIT: '0', BUN_JSC_useOMGJIT: '0' }

/** The environment of a process that lives for a second or two: optimising its code costs more than it gives. */
export const shortLived = { ...process.env, ...unoptimised }

/** That of one that has nothing else but these settings. */
export const shortLivedWith = (settings: Record<string, string>): Record<string, string> => ({
  PATH: String(process.env.PATH),
  ...unoptimised,
  ...settings,
})
