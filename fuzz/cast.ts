import type { Target } from './target.ts'

/** Everybody who calls. `ada` and `viewer` share a workspace; `bob` has one of another reseller. */
export const callers = ['ada', 'viewer', 'bob', 'operator', 'wrong', 'nobody'] as const
export type Caller = (typeof callers)[number]

/** Whose an object is. */
export type Tenant = 'ada' | 'bob' | 'operator'

export const tenantOf = (caller: Caller): Tenant | undefined =>
  caller === 'viewer' ? 'ada' : caller === 'wrong' || caller === 'nobody' ? undefined : caller

/** Two tenants that know nothing of each other. */
export interface Cast {
  tokens: Record<Caller, string | undefined>
  /** A word that stands in the objects of one tenant and nowhere else. */
  markers: Record<'ada' | 'bob', string>
  /** Users whom agents are shared with: nobody who calls. */
  guests: number[]
}

export const anyMarker = /mk[0-9a-f]{12}[ab]\d+x/g

/** Makes two tenants over the endpoints for operators. */
export async function createCast({ url, key }: Target, lane: number): Promise<Cast> {
  const run = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
  const ask = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { id: number; workspace_id: number; token: string } }
    return data
  }
  const user = (name: string, more: object = {}) =>
    ask('/admin/users', { name, email: `${run}-${lane}-${name.replaceAll(' ', '-')}@example.com`, ...more })
  const token = async ({ id }: { id: number }) => (await ask(`/admin/users/${id}/tokens`, {})).token
  const markers = { ada: `mk${run}a${lane}x`, bob: `mk${run}b${lane}x` }
  const ada = await user(`Ada ${markers.ada}`)
  const viewer = await user('Viewer', { workspace_id: ada.workspace_id, workspace_role: 'viewer' })
  const { id: reseller } = await ask('/admin/resellers', { name: 'Other' })
  const bob = await user(`Bob ${markers.bob}`, { reseller_id: reseller })
  const guests = [(await user('Guest one')).id, (await user('Guest two')).id]
  return {
    tokens: {
      ada: await token(ada),
      viewer: await token(viewer),
      bob: await token(bob),
      operator: key,
      wrong: `vk_${'w'.repeat(40)}`,
      nobody: undefined,
    },
    markers,
    guests,
  }
}
