/** The pattern of a contains-filter: `%` and `_` in what a caller looks for are characters, not wildcards. */
export const contains = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
