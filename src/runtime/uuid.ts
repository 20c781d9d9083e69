/** A UUID, in small or capital letters. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID as the platform and the database write it. */
export const isPlainUuid = (text: string): boolean => uuidPattern.test(text) && text === text.toLowerCase()

/** The ids that a column of UUIDs can hold. */
export const uuidsIn = (ids: readonly string[]): string[] => ids.filter((id) => uuidPattern.test(id))
