/** Whether objects and lists in a value stand in each other deeper than `max`. */
export const isDeeper = (value: unknown, max: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (max === 0 || Object.values(value).some((part) => isDeeper(part, max - 1)))
