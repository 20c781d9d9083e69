import { adminKey } from '../instance.ts'

/** A request that is measured, of a tenant or of an operator. */
export interface Measured {
  name: string
  path: string
  token: string
  method?: string
  /** Made anew for each request. */
  body?(): unknown
}

/** A tenant that is measured. */
export interface Tenant {
  token: string
  userId: string
  assistantId: string
  agentId: string
  chatId: string
}

/** Makes one over the API, with one assistant, one agent and one chat. */
export async function makeTenant(url: string, name: string): Promise<Tenant> {
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    return (field: string) => String(data[field])
  }
  const user = await call(adminKey, 'POST', '/admin/users', { name: 'Measured', email: `${name}@example.com` })
  const token = (await call(adminKey, 'POST', `/admin/users/${user('id')}/tokens`, {}))('token')
  const assistant = await call(token, 'POST', '/assistants', { name: 'Reception' })
  const agent = await call(token, 'POST', '/agents', { name: 'Guide', instructions: 'We are open from nine to five.' })
  const chat = await call(token, 'POST', `/agents/${agent('id')}/chats`, {})
  return {
    token,
    userId: user('id'),
    assistantId: assistant('assistant_id'),
    agentId: agent('id'),
    chatId: chat('id'),
  }
}

/** What a tenant asks. The last pages are those of its own lists. */
export function requestsOf({ token, assistantId, agentId, chatId }: Tenant, assistants: number): Measured[] {
  const read = (path: string, name = path): Measured => ({ name: `GET ${name}`, path, token })
  const assistant = `/assistants/${assistantId}`
  const agent = `/agents/${agentId}`
  const chat = `${agent}/chats/${chatId}`
  const write = (path: string, name: string, body: () => unknown): Measured => ({
    ...{ name: `POST ${name}`, method: 'POST', path, token, body },
  })
  return [
    read(assistant, '/assistants/{id}'),
    read('/assistants'),
    read(`/assistants?page=${Math.floor(assistants / 15)}`, '/assistants, last page'),
    read('/assistants?search=recep'),
    read('/assistants?phone_search=555'),
    read('/v2/assistants?type=production'),
    read(`${assistant}/update-log`, '/assistants/{id}/update-log'),
    read(`${assistant}/deliveries`, '/assistants/{id}/deliveries'),
    read(`${assistant}/deliveries?status=dead`, '/assistants/{id}/deliveries?status=dead'),
    read(`${assistant}/calls`, '/assistants/{id}/calls'),
    read(`${assistant}/stats`, '/assistants/{id}/stats'),
    read(`${assistant}/conversations`, '/assistants/{id}/conversations'),
    read('/squads'),
    read('/squads?search=recep'),
    read('/phone-numbers'),
    read('/phone-numbers?search=recep'),
    read('/agents'),
    read('/agents?q=guide'),
    read('/agents?sort=name'),
    read(agent, '/agents/{id}'),
    read(`${agent}/chats`, '/agents/{id}/chats'),
    read(`${agent}/files`, '/agents/{id}/files'),
    read(`${agent}/search?q=opening%20hours`, '/agents/{id}/search, common words'),
    read(`${chat}/messages`, '.../messages'),
    read('/user/tokens'),
    read('/usage'),
    read('/usage/ledger'),
    read('/overview'),
    read('/drift'),
    write('/assistants', '/assistants', () => ({ name: 'One more' })),
    write('/agents', '/agents', () => ({ name: 'One more' })),
    write(`${chat}/messages`, '.../messages', () => ({ content: `When do you open? ${crypto.randomUUID()}` })),
    write('/chat/completions', '/chat/completions without agent', () => ({
      messages: [{ role: 'user', content: `When do you open? ${crypto.randomUUID()}` }],
    })),
  ]
}

/** What an operator asks, who sees everything. */
export function operatorRequests(assistants: number): Measured[] {
  const read = (path: string, name = path): Measured => ({ name: `operator: GET ${name}`, path, token: adminKey })
  return [
    read('/assistants'),
    read('/assistants?search=reception'),
    read(`/assistants?page=${Math.floor(assistants / 15)}`, '/assistants, last page'),
    read('/v2/assistants?type=production'),
    read('/squads'),
    read('/squads?search=recep'),
    read('/phone-numbers'),
    read('/phone-numbers?search=recep'),
    read('/drift'),
    read('/overview'),
    read('/admin/users'),
    read('/admin/users?search=measur'),
    read('/admin/workspaces?search=measur'),
    read('/admin/audit'),
    read('/admin/audit?action=created'),
    read('/admin/audit?subject_kind=user'),
  ]
}
