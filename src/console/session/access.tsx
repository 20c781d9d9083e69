import { createContext, type ReactNode, useContext } from 'react'
import type { client } from '../api/client.ts'

/** What the caller's token may do, as the server says it. */
export type Access = Awaited<ReturnType<typeof client.profile.access.query>>['data']
export type Feature = Access['features'][number]

const AccessContext = createContext<Access | undefined>(undefined)

export function AccessProvider({ value, children }: { value: Access; children: ReactNode }) {
  return <AccessContext value={value}>{children}</AccessContext>
}

/** What the caller may do; only within the session's gate. */
export function useAccess(): Access {
  const access = useContext(AccessContext)
  if (!access) throw new Error('There is no session')
  return access
}

type Level = 'read' | 'write'

/** Whether a token's scopes let it do this; without scopes it may whatever its user may. No area is called ''. */
export function isInScopes({ scopes }: Access, area: string, level: Level): boolean {
  if (scopes === null) return true
  return scopes.some((scope) => {
    const [first, second] = scope.split(':')
    const reachesArea = second === undefined || first === area
    return reachesArea && (level === 'read' || (second ?? first) === 'write')
  })
}

/** Whether a token may look at what belongs to a feature. */
export const mayRead = (access: Access, feature: Feature): boolean =>
  access.features.includes(feature) && isInScopes(access, feature, 'read')

/** Whether a token may do what operators do. */
export const mayOperate = (access: Access): boolean => access.role === 'admin' && isInScopes(access, 'admin', 'read')

/** Whether a token may look at what belongs to no feature. */
export const mayReadAccount = (access: Access): boolean => isInScopes(access, 'account', 'read')

/** Whether the caller may change what belongs to the workspace and to no feature. */
export function useMayWriteAccount(): boolean {
  const access = useAccess()
  return access.can_write && isInScopes(access, 'account', 'write')
}

/** Whether the caller may change what is personal, such as tokens: a viewer may, too. */
export const useMayWriteOwn = (): boolean => isInScopes(useAccess(), 'account', 'write')

/** Whether the caller may change what operators keep. */
export function useMayAdminister(): boolean {
  const access = useAccess()
  return mayOperate(access) && isInScopes(access, 'admin', 'write')
}

/**
 * Whether the caller may change what belongs to a feature. Agents are their owner's, whatever the role in the
 * workspace.
 */
export const useMayWrite = (feature: Feature): boolean => mayWrite(useAccess(), feature)

/** The same of a caller that is known. */
export function mayWrite(access: Access, feature: Feature): boolean {
  const mayByRole = feature === 'ai_chat' || access.can_write
  return mayByRole && access.features.includes(feature) && isInScopes(access, feature, 'write')
}
