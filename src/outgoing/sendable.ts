/** Names of headers that HTTP can carry: tokens. */
export const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Values of headers that HTTP can carry: one line, Latin-1. */
export const headerText = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * A parser takes line breaks and tabs out of an address, and spaces from around it, and asks for another than is shown.
 */
const unseen = /\p{Cc}|^ | $/u

/** Whether this is an address, which is asked for as it is shown. */
export const isPlainAddress = (text: string): boolean => !unseen.test(text) && URL.canParse(text)
