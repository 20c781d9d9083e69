/** The environment of a server that lives for a second or two: optimising its code costs more than it gives. */
export const shortLived = { ...process.env, BUN_JSC_useDFGJIT: '0' }
