import { ApiError } from '../../../api/errors/api-error.ts'
import { isObject, type Json } from '../../../json/object.ts'
import { toPlatformSquad } from '../../../voice-platform/mapping/squad.ts'
import { composed, resolveMembers, toLiveMember } from '../../squads/composition.ts'
import { noteMembers } from '../../squads/members.ts'
import { squadRemote } from '../../squads/remote.ts'
import { StoredMember } from '../../squads/schema.ts'
import { squads } from '../../squads/table.ts'
import { fieldsOf, heldOf, type Importer, ImportRefusal, leaveStrangers } from '../importer.ts'

const object = (value: unknown): Json => (isObject(value) ? value : {})

/** A squad has no metadata of its own on the platform: its mark is in what it overrides. */
function marked(live: object, ref: string): Json {
  const overrides = object(fieldsOf(live).membersOverrides)
  return { ...overrides, metadata: { ...object(overrides.metadata), external_ref: ref } }
}

/** Members as they are kept. Throws ImportRefusal for one that only the squad itself has. */
function membersOf(live: Json): StoredMember[] {
  const members = Array.isArray(live.members) ? live.members.filter(isObject) : []
  return members.map((member, index) => {
    const { success, data } = StoredMember.safeParse(member)
    if (!success) throw new ImportRefusal(`Member ${index + 1} names no assistant, or in a form that no record has.`)
    return data
  })
}

/** Published squads whose members all have a record in the workspace. */
export const squadImporter: Importer = {
  kind: 'squad',
  remote: squadRemote,
  // The platform takes no change of a squad without its members.
  mark: (live, ref) => ({ members: fieldsOf(live).members, membersOverrides: marked(live, ref) }),
  baseRef: (_live, ref) => ref,

  async prepare(ctx, live, ref, owner) {
    const fields = structuredClone(fieldsOf(live))
    const members = membersOf(fields)
    // Members are judged by themselves: one that names a stranger is refused.
    for (const part of [fields.membersOverrides, ...members.map(({ assistantOverrides }) => assistantOverrides)]) {
      if (part) await leaveStrangers(ctx, owner, part)
    }
    const resolved = await resolveMembers(ctx.db, owner.workspaceId, members)
    const { metadata: _mark, variableValues, ...overrides } = object(fields.membersOverrides)
    const name = typeof fields.name === 'string' && fields.name !== '' ? fields.name : `Squad ${live.id.slice(0, 8)}`
    const own = {
      name,
      membersOverrides: Object.keys(overrides).length > 0 ? overrides : null,
      variableValues: isObject(variableValues) ? variableValues : null,
    }
    try {
      const members = composed(resolved).map(toLiveMember)
      const body = toPlatformSquad({ ...own, externalRef: ref, members }, ctx.settings)
      const sent = { ...heldOf(body, live), membersOverrides: marked(live, ref) }
      return {
        composed: body,
        sent,
        async save(tx) {
          const now = ctx.clock.now()
          const [made] = await tx
            .insert(squads)
            .values({
              ...own,
              ...owner,
              ref,
              externalSquadId: live.id,
              status: 'published',
              members: resolved.map(({ member }) => member),
              metadata: null,
              live: { ...body, ...sent },
              createdBy: ctx.account.userId,
              createdAt: now,
              updatedAt: now,
            })
            .returning({ id: squads.id, workspaceId: squads.workspaceId })
          if (made) await noteMembers(tx, made, resolved)
          return live.id
        },
      }
    } catch (error) {
      if (error instanceof ApiError) throw new ImportRefusal(error.message)
      throw error
    }
  },
}
