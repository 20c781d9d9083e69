/** The folder under which the server is reached, without a slash at its end; the scripts lie in `console/assets`. */
const prefix = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** The server's address, without a slash at its end; of no meaning outside a browser. */
export const serverUrl = `${globalThis.location?.origin}${prefix}`

/** Where the console's own paths begin. */
export const basePath = `${prefix}/console`
