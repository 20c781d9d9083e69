import { availableParallelism } from 'node:os'

/** Whether processes can be pinned: the measured server gets the first core, everything else the second. */
export const pinned = availableParallelism() > 1 && Bun.which('taskset') !== null

/** The start of a command line that runs on one core. */
export const onCore = (core: 0 | 1): string[] => (pinned ? ['taskset', '-c', String(core)] : [])
