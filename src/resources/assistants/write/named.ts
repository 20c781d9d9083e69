import { type Reference, referencesIn } from '../../../voice-platform/references/find.ts'
import { isLockable } from '../../references/lock.ts'
import { isMovable } from '../../references/moving.ts'
import type { Sources } from '../rendering/sources.ts'
import type { AssistantConfig, Build } from '../schema.ts'

/** Tools that are picked are looked at with what is attached already, not with other references. */
export const pickedTool = /^model\.(toolIds\.\d+|tools\.\d+\.toolId)$/

/**
 * Which of the references that a draft's settings name came from an editor, and so were there: operators name whatever
 * the platform has in the layers of what is built.
 */
export const isOfEditor =
  ({ build }: { build: Build | null }) =>
  ({ path }: Reference): boolean =>
    build === null || pickedTool.test(path)

/** What an assistant names on the platform, by what is to be looked at while it is saved. */
interface Named {
  /** Tools that its live body has from its layers alone. */
  layered: Reference[]
  /** What is locked: what came from an editor, and tools from wherever. */
  lockable: Reference[]
  /** Assistants and squads, but for those that its layers name. */
  movable: Reference[]
}

/** What an assistant names, `sources` being its layers. */
export function namedBy(made: { build: Build | null; config: AssistantConfig; live: object }, sources: Sources): Named {
  const own = referencesIn(made.config)
  const ids = new Set(own.map(({ id }) => id))
  const layered = referencesIn(made.live).filter(({ kind, id }) => kind === 'tool' && !ids.has(id))
  const isEditors = isOfEditor(made)
  const lockable = own.filter((one) => isLockable(one) && (one.kind === 'tool' || isEditors(one)))
  const movable = own.filter(isMovable)
  const given = new Set(movable.length === 0 ? [] : referencesIn(structuredClone(sources)).map(({ id }) => id))
  return { layered, lockable: [...lockable, ...layered], movable: movable.filter(({ id }) => !given.has(id)) }
}
