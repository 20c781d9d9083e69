import { isObject } from '../../../json/object.ts'
import { Tool } from '../../catalogue/schema.ts'
import { tools } from '../../catalogue/table.ts'
import { toolRemote } from '../../catalogue/tool-remote.ts'
import { keptNamedIn } from '../../tools/definition.ts'
import { fieldsOf, type Importer, ImportRefusal } from '../importer.ts'

const maxName = 255
const maxDescription = 1000
const text = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Tools become entries of the catalogue for the owner alone; like every tool that was made on the platform, they stay
 * as they are there.
 */
export const toolImporter: Importer = {
  kind: 'tool',
  remote: toolRemote,

  async prepare(ctx, live, _ref, { userId }) {
    const named = keptNamedIn(live)
    if (named) {
      throw new ImportRefusal(`It names the ${named.kind} ${named.id}. Make it here with its definition instead.`)
    }
    const { type, function: called } = fieldsOf(live)
    const { name, description } = isObject(called) ? called : {}
    const now = ctx.clock.now()
    const label = (text(name) || text(type)).slice(0, maxName)
    const entry = {
      id: live.id,
      label,
      // The platform asks for none, the catalogue does.
      description: (text(description) || label).slice(0, maxDescription),
      type: text(type),
      scope: 'own',
      ownerId: userId,
      createdAt: now,
      updatedAt: now,
    } as const
    const times = { created_at: now.toISOString(), updated_at: now.toISOString() }
    const shown = { ...entry, ...times, owner_id: userId, locked: false, definition: null }
    if (!Tool.safeParse(shown).success) throw new ImportRefusal('It is of a form that the catalogue has no entry for.')
    return {
      composed: {},
      sent: {},
      async save(tx) {
        await tx.insert(tools).values(entry)
        return live.id
      },
    }
  },
}
