import { hostname } from 'node:os'

/** What tells this process apart from the others of an installation: machine and process. */
export const instance = `${hostname()} ${process.pid}`
