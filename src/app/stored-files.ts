import type { PgColumn } from 'drizzle-orm/pg-core'
import { knowledgeFiles } from '../resources/files/table.ts'
import { users } from '../resources/users/table.ts'

/** Every column that names stored files, for backups: whoever stores files adds a line. */
export const fileColumns: readonly PgColumn[] = [knowledgeFiles.storageKey, users.profilePicture]
