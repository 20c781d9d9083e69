/**
 * A text from outside as databases and other servers take it: without NUL, and with U+FFFD for half of a surrogate
 * pair.
 */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
