/** Signs that move a terminal's cursor, set its title or turn its text around, but for ends of lines and tabs. */
const steering = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu

/** A text as it may be shown on a terminal: what others wrote there may not steer it. */
export const shown = (text: string): string => text.replace(steering, '\ufffd')

/** JSON that reads as the same value and steers no terminal: `JSON.stringify` lets some of these signs stand. */
export const shownJson = (value: unknown): string =>
  (JSON.stringify(value, undefined, 2) ?? 'null').replace(
    steering,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
