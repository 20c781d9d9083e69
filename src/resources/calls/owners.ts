import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { assistants } from '../assistants/table.ts'
import { phoneNumbers } from '../phone-numbers/table.ts'
import { squads } from '../squads/table.ts'

const findAssistant = preparedQuery('calls_owner_assistant', (db, name) =>
  db
    .select({ workspaceId: assistants.workspaceId })
    .from(assistants)
    .where(eq(assistants.voiceAssistantId, sql.placeholder('remoteId')))
    .prepare(name),
)

const findSquad = preparedQuery('calls_owner_squad', (db, name) =>
  db
    .select({ workspaceId: squads.workspaceId })
    .from(squads)
    .where(eq(squads.externalSquadId, sql.placeholder('remoteId')))
    .prepare(name),
)

const findNumber = preparedQuery('calls_owner_number', (db, name) =>
  db
    .select({ workspaceId: phoneNumbers.workspaceId })
    .from(phoneNumbers)
    .where(eq(phoneNumbers.voicePhoneNumberId, sql.placeholder('remoteId')))
    .prepare(name),
)

const find = { assistant: findAssistant, squad: findSquad, 'phone-number': findNumber } as const

/** Says which workspace an object of the voice platform belongs to, by its id there; undefined for what is nobody's. */
export const ownersOfLive =
  (db: Database) =>
  async (kind: keyof typeof find, remoteId: string): Promise<number | undefined> => {
    const [owner] = await find[kind](db).execute({ remoteId })
    return owner?.workspaceId
  }
