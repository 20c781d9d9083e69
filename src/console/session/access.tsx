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
