import { adminKey } from '../instance.ts'

/** A request that is measured, of the tenant that stays the same or of an operator. */
export interface Measured {
  name: string
  path: string
  token: string
  method?: string
  /** Made anew for each request. */
  body?(): unknown
}

/** The tenant that is measured, the same beside any number of others. */
export interface Tenant {
  token: string
  assistantId: string
  agentId: string
  chatId: string
}

/** Makes it over the API: 200 assistants, an agent with a chat of many messages. */
export async function makeTenant(url: string): Promise<Tenant> {
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    return (name: string) => String(data[name])
  }
  const user = await call(adminKey, 'POST', '/admin/users', { name: 'Measured', email: 'measured@example.com' })
  const token = (await call(adminKey, 'POST', `/admin/users/${user('id')}/tokens`, {}))('token')
  let assistantId = ''
  for (let number = 0; number < 200; number++) {
    const made = await call(token, 'POST', '/assistants', { name: `Reception ${number}` })
    assistantId = made('assistant_id')
  }
  const agent = await call(token, 'POST', '/agents', { name: 'Guide', instructions: 'We are open from nine to five.' })
  const chat = await call(token, 'POST', `/agents/${agent('id')}/chats`, {})
  return { token, assistantId, agentId: agent('id'), chatId: chat('id') }
}

/** What is measured; late pages are those at the end of what an operator sees. */
export function requestsOf({ token, assistantId, agentId, chatId }: Tenant, assistants: number): Measured[] {
  const lastPage = Math.floor(assistants / 15)
  return [
    { name: 'GET /assistants/{id}', path: `/assistants/${assistantId}`, token },
    { name: 'GET /assistants, first page', path: '/assistants', token },
    { name: 'GET /assistants, last page', path: '/assistants?page=13', token },
    { name: 'GET /assistants?search=', path: '/assistants?search=recep', token },
    { name: 'GET /assistants?phone_search=', path: '/assistants?phone_search=555', token },
    { name: 'GET /v2/assistants?type=', path: '/v2/assistants?type=production', token },
    { name: 'POST /assistants', method: 'POST', path: '/assistants', token, body: () => ({ name: 'One more' }) },
    { name: 'GET /agents', path: '/agents', token },
    { name: 'GET .../messages', path: `/agents/${agentId}/chats/${chatId}/messages`, token },
    {
      name: 'POST .../messages',
      method: 'POST',
      path: `/agents/${agentId}/chats/${chatId}/messages`,
      token,
      body: () => ({ content: `When do you open? ${crypto.randomUUID()}` }),
    },
    {
      name: 'GET .../deliveries?status=',
      path: `/assistants/${assistantId}/deliveries?status=dead`,
      token,
    },
    { name: 'GET /usage', path: '/usage', token },
    { name: 'operator: GET /assistants?search=', path: '/assistants?search=recep', token: adminKey },
    { name: 'operator: GET /assistants, last page', path: `/assistants?page=${lastPage}`, token: adminKey },
    { name: 'operator: GET /admin/users?search=', path: '/admin/users?search=measur', token: adminKey },
    { name: 'operator: GET /admin/audit', path: '/admin/audit', token: adminKey },
    { name: 'operator: GET /admin/audit?action=', path: '/admin/audit?action=created', token: adminKey },
  ]
}
