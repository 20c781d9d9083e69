import type { Cluster } from '../../torture/outside/postgres.ts'
import { startInstance } from '../instance.ts'
import { made, send, timeUntil } from './api.ts'

const lookMs = 2

/** A user of a workspace of their own, with a token. */
async function newUser(url: string, name: string) {
  const workspace = await made(url, 'POST', '/admin/workspaces', { name })
  const body = { name, email: `${name}@example.com`, workspace_id: workspace.id, workspace_role: 'owner' }
  const user = await made(url, 'POST', '/admin/users', { ...body, features: ['assistants'] })
  return { id: user.id, token: String((await made(url, 'POST', `/admin/users/${user.id}/tokens`, { name })).token) }
}

/** How long another instance goes on with what one has changed, in milliseconds. */
export async function acrossInstances(cluster: Cluster, settings: Record<string, string>, rounds: number) {
  const database = `across_${crypto.randomUUID().slice(0, 8)}`
  await cluster.createDatabase(database)
  const here = await startInstance(cluster.url(database), settings)
  const there = await startInstance(cluster.url(database), settings)
  const [revoked, narrowed]: [number[], number[]] = [[], []]
  try {
    for (let round = 0; round < rounds; round++) {
      const user = await newUser(here.url, `Round${round}`)
      const { token } = user
      const answersThere = async (status: number) =>
        (await send(there.url, 'GET', '/assistants', undefined, { token })).status === status
      await timeUntil(() => answersThere(200), lookMs)
      await made(here.url, 'PATCH', `/admin/users/${user.id}`, { features: [] })
      narrowed.push(await timeUntil(() => answersThere(403), lookMs))
      const [own] = Object.values(await made(here.url, 'GET', '/user/tokens', undefined, { token })) as { id: number }[]
      await made(here.url, 'DELETE', `/user/tokens/${own?.id}`, undefined, { token })
      revoked.push(await timeUntil(() => answersThere(401), lookMs))
    }
  } finally {
    await Promise.all([here.stop(), there.stop()])
  }
  return { revoked, narrowed }
}
