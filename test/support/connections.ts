import type { Connections } from '../../src/api/http/request.ts'

/** Of requests that come over no connection, or over one of this machine. */
export const loopback: Connections = { addressOf: () => '127.0.0.1', keepOpen: () => () => {} }
