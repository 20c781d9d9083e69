import postgres from 'postgres'

/** A statement that broke a unique constraint, or a foreign key: of its own row, or of the rows that refer to it. */
export interface Violation {
  kind: 'unique' | 'reference'
  constraint: string
  /** The table whose constraint was broken: for a foreign key the one that refers. */
  table: string
}

const kinds: Record<string, Violation['kind']> = { '23505': 'unique', '23503': 'reference' }

/** What an error says of a broken constraint, or undefined when it is something else. */
export function violationOf(error: unknown): Violation | undefined {
  const failed = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(failed instanceof postgres.PostgresError)) return undefined
  const kind = kinds[failed.code]
  const { constraint_name: constraint, table_name: table } = failed
  return kind && constraint && table ? { kind, constraint, table } : undefined
}
