import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AccountContext } from '../../api/context.ts'
import { type FieldErrors, validationError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { isPlainUuid } from '../../runtime/uuid.ts'
import { madeAgain } from '../../voice-platform/mirror/agreement/bases.ts'
import { canonicalId, type Reference, type ReferenceKind, referencesIn } from '../../voice-platform/references/find.ts'
import { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'
import { squads } from '../squads/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import { ofWorkspace } from './of-workspace.ts'

/** The form in which the platform is told each id that is known. */
type Known = Map<string, string>

/** Whose objects are looked for: a workspace's, with what is everybody's, or whoever's. */
type Whose = number | 'anybody'

type Finder = (executor: Executor, whose: Whose, ids: string[]) => Promise<Known>

const isOf = (column: AnyPgColumn, whose: Whose): SQL | undefined =>
  whose === 'anybody' ? undefined : eq(column, whose)

/** Assistants, by their id on the platform or their public one. */
const findAssistants: Finder = async (executor, whose, ids) => {
  const found = await executor
    .select({ live: assistants.voiceAssistantId, id: assistants.assistantId })
    .from(assistants)
    .where(
      and(
        isOf(assistants.workspaceId, whose),
        or(inArray(assistants.voiceAssistantId, ids), inArray(assistants.assistantId, ids)),
      ),
    )
  return new Map(found.flatMap(({ live, id }) => [[id, live] as const, [live, live] as const]))
}

const findSquads: Finder = async (executor, whose, ids) => {
  const own = and(isOf(squads.workspaceId, whose), eq(squads.status, 'published'))
  const found = await executor
    .select({ id: squads.externalSquadId })
    .from(squads)
    .where(and(own, inArray(squads.externalSquadId, ids)))
  return new Map(found.map(({ id }) => [id, id]))
}

/** Everybody's tools and those of the workspace's members, whoever asks: an operator sees those of all workspaces. */
const findTools: Finder = async (executor, whose, ids) => {
  const found = await executor
    .select({ id: tools.id })
    .from(tools)
    .leftJoin(users, eq(users.id, tools.ownerId))
    .where(and(inArray(tools.id, ids), whose === 'anybody' ? undefined : ofWorkspace(whose)))
  return new Map(found.map(({ id }) => [id, id]))
}

/** Credentials that operators granted, in their own spelling. */
const findCredentials: Finder = async (executor, whose) => {
  const rows = await executor
    .select({ granted: workspaces.webhookCredentials })
    .from(workspaces)
    .where(isOf(workspaces.id, whose) ?? sql`jsonb_array_length(${workspaces.webhookCredentials}) > 0`)
  return new Map(rows.flatMap(({ granted }) => granted).map((id) => [canonicalId(id), id]))
}

/** What is kept here of each kind; of the others no account has any. */
const finders: Partial<Record<ReferenceKind, Finder>> = {
  assistant: findAssistants,
  squad: findSquads,
  tool: findTools,
  credential: findCredentials,
}

/** For each reference, the id that the platform is told, or undefined where there is no such object. */
export async function resolveAll<Named extends Pick<Reference, 'kind' | 'id'>>(
  executor: Executor,
  whose: Whose,
  references: readonly Named[],
): Promise<Map<Named, string | undefined>> {
  const kinds = [...new Set(references.map(({ kind }) => kind))]
  const known = new Map<ReferenceKind, Known>()
  for (const kind of kinds) {
    const ids = references.filter((one) => one.kind === kind && (kind === 'credential' || isPlainUuid(one.id)))
    const find = finders[kind]
    if (find && ids.length > 0) known.set(kind, await find(executor, whose, [...new Set(ids.map(({ id }) => id))]))
  }
  return new Map(references.map((reference) => [reference, known.get(reference.kind)?.get(reference.id)]))
}

/**
 * The same, where the id that a live object had before the platform lost it finds the one that was made in its place
 * (contract: mirror 10). For callers that put what is found in the place of what was named.
 */
export async function resolveToNow<Named extends Pick<Reference, 'kind' | 'id'>>(
  executor: Executor,
  whose: Whose,
  references: readonly Named[],
): Promise<Map<Named, string | undefined>> {
  const resolved = await resolveAll(executor, whose, references)
  const unknown = references.filter((one) => resolved.get(one) === undefined && isPlainUuid(one.id))
  const again = await madeAgain(executor, [...new Set(unknown.map(({ id }) => id))])
  const renamed = unknown.flatMap((reference) => {
    const { kind, liveId = '' } = again.get(reference.id) ?? {}
    return kind === reference.kind ? { reference, kind: reference.kind, id: liveId } : []
  })
  for (const [{ reference }, id] of await resolveAll(executor, whose, renamed)) resolved.set(reference, id)
  return resolved
}

const words: Record<ReferenceKind, string> = {
  assistant: 'assistant',
  squad: 'squad',
  tool: 'tool',
  workflow: 'workflow',
  credential: 'credential',
  other: 'object',
}

/** What is said of a reference to nothing that the account has. */
export const unknownReference = (kind: ReferenceKind): string => `The selected ${words[kind]} does not exist.`

/** Throws 422 on the path of each reference that is not known. */
export function refuseUnknown<Named extends Pick<Reference, 'kind' | 'path'>>(
  references: readonly Named[],
  isKnown: (reference: Named) => boolean,
): void {
  const unknown = references.filter((reference) => !isKnown(reference))
  if (unknown.length === 0) return
  throw validationError(Object.fromEntries(unknown.map(({ kind, path }) => [path, [unknownReference(kind)]])))
}

/**
 * A body that is bound for the platform, in which every id that names an object there is one of the workspace's own, in
 * the platform's form; the installation shares one account there, so what is not resolved would be somebody else's. It
 * is a copy where there are such ids. `which` says which references are looked at, all unless given; `isLabel`, which
 * of them stay as they are when the workspace has no such object. Throws 422 on the path of each other id that the
 * workspace does not have.
 */
export async function resolveReferences<Body>(
  ctx: AccountContext,
  workspaceId: number,
  body: Body,
  which: (reference: Reference) => boolean = () => true,
  isLabel: (reference: Reference) => boolean = () => false,
): Promise<Body> {
  if (!referencesIn(body).some(which)) return body
  const copy = structuredClone(body)
  const errors: FieldErrors = {}
  for (const [reference, id] of await resolveToNow(ctx.db, workspaceId, referencesIn(copy).filter(which))) {
    if (id !== undefined) reference.replace(id)
    else if (!isLabel(reference)) errors[reference.path] = [unknownReference(reference.kind)]
  }
  if (Object.keys(errors).length > 0) throw validationError(errors)
  return copy
}
