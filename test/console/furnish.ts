/** What the pictures show, made over the API. */
export interface Furnished {
  token: string
  assistant: string
  squad: string
  agent: string
  /** An assistant that was built from layers; empty where there are none. */
  built: string
  workspace: number
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ data: Record<string, unknown> & { id: number } }>

/** Fills a fresh server with a practice's assistants, calls and changes, all made by an operator of its own. */
export async function furnish(url: string, key: string): Promise<Furnished> {
  const sender =
    (token: string): Send =>
    async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    }
  const operator = sender(key)
  const { data: user } = await operator('POST', '/admin/users', {
    name: 'Mara Lindqvist',
    email: 'mara@example.com',
    role: 'admin',
    workspace_role: 'owner',
  })
  const workspace = Number(user.workspace_id)
  await operator('PATCH', `/admin/workspaces/${workspace}`, { name: 'Harbour Dental', billing: 'usd' })
  await operator('POST', `/admin/workspaces/${workspace}/credits`, { payment_id: 'invoice 1042', amount_usd: 25 })
  await operator('POST', '/admin/users', {
    name: 'Tom Okafor',
    email: 'tom@example.com',
    workspace_id: workspace,
    workspace_role: 'viewer',
  })
  const created = await operator('POST', `/admin/users/${user.id}/tokens`, { name: 'console' })
  const token = String(created.data.token)
  const send = sender(token)
  const website = { name: 'Website', scopes: ['read', 'assistants:write'], expires_at: '2099-01-01' }
  const { data: limited } = await send('POST', '/user/tokens', website)
  await send('PUT', `/user/tokens/${limited.id}/budget`, { window: 'day', usd: 5, tokens: 200_000 })
  const assistants = await furnishAssistants(send, url)
  const [frontDesk = ''] = assistants
  const agent = await furnishAgent(send, url, token)
  const squad = await furnishLines(send, assistants)
  return { token, assistant: frontDesk, agent, squad, workspace, built: await furnishBuilt(operator, send) }
}

async function furnishBuilt(operator: Send, send: Send): Promise<string> {
  const config = { firstMessage: 'Harbour Dental, good morning.' }
  const { data: base } = await operator('POST', '/admin/base-configs', { name: 'Dental reception', config })
  const { data } = await send('POST', '/v2/assistants', { name: 'Recall desk', base_config_id: base.id })
  return String(data.assistant_id)
}

const hours = `# Opening hours

Harbour Dental is open Monday to Friday from 9:00 to 17:30 and on Saturday from 10:00 to 13:00. It is closed on Sunday.

# Prices

The first visit costs 45 pounds, children are seen free. Whitening costs 180 pounds.
`

async function furnishAgent(send: Send, url: string, token: string): Promise<string> {
  const { data } = await send('POST', '/agents', {
    name: 'Practice guide',
    description: 'Answers questions about the practice.',
    instructions: 'You answer questions about Harbour Dental, in a friendly tone and in few words.',
  })
  const form = new FormData()
  form.set('file', new File([hours], 'practice-handbook.md', { type: 'text/markdown' }))
  const headers = { authorization: `Bearer ${token}` }
  const uploaded = await fetch(`${url}/agents/${data.id}/files`, { method: 'POST', body: form, headers })
  if (!uploaded.ok) throw new Error(await uploaded.text())
  const { data: chat } = await send('POST', `/agents/${data.id}/chats`, {})
  for (const content of ['When are you open on Saturdays?', 'What does the first visit cost?']) {
    await send('POST', `/agents/${data.id}/chats/${chat.id}/messages`, { content })
  }
  return String(data.id)
}

/** A number that leads to the first assistant, and a squad of three. */
async function furnishLines(send: Send, assistants: readonly string[]): Promise<string> {
  const [first = '', second = '', third = ''] = assistants
  const offer = await send('GET', '/phone-numbers/available?area_code=415')
  const offered = Array.isArray(offer.data) ? offer.data : []
  for (const [index, { phone_number }] of offered.slice(0, 2).entries()) {
    const { data: number } = await send('POST', '/phone-numbers', {
      phone_number,
      name: ['Main line', 'Spare line'][index],
    })
    const target = { voice_assistant_id: first, fallback_destination: { type: 'number', number: '+14155550199' } }
    if (index === 0) await send('PUT', `/phone-numbers/${number.id}`, target)
  }
  const { data } = await send('POST', '/squads', { name: 'Reception', members: [] })
  const handOff = (assistantName: string, description: string) => ({ type: 'assistant', assistantName, description })
  const { data: published } = await send('PUT', `/squads/${data.external_squad_id}`, {
    name: 'Reception',
    members: [
      {
        assistantId: first,
        position: { x: 40, y: 130 },
        assistantDestinations: [
          handOff('Returns and refunds', 'When money is owed'),
          handOff('After hours', 'When nobody is in'),
        ],
      },
      { assistantId: second, position: { x: 420, y: 30 } },
      { assistantId: third, position: { x: 420, y: 240 } },
    ],
  })
  return String(published.external_squad_id)
}

async function furnishAssistants(send: Send, url: string): Promise<string[]> {
  const made: string[] = []
  const names = ['Reminder calls', 'After hours', 'Returns and refunds']
  for (const [index, name] of names.entries()) {
    const { data: other } = await send('POST', '/assistants', {
      name,
      type: index === 0 ? 'production' : 'demo',
      firstMessage: [
        'I am calling about your appointment.',
        'We are closed right now. May I take a message?',
        'Hello, what would you like to send back?',
      ][index],
    })
    made.unshift(String(other.assistant_id))
  }
  const prompt =
    'You are the receptionist of Harbour Dental in Bristol.\nBe brief and kind.\nThe practice is open Monday to Friday from 9:00 to 17:30.\nNever give medical advice.'
  const { data } = await send('POST', '/assistants', {
    name: 'Front desk',
    type: 'production',
    firstMessage: 'Hello, this is {{company_name}}. How can I help?',
    endCallMessage: 'Thank you for calling. Goodbye!',
    model: { messages: [{ role: 'system', content: prompt }] },
    metadata: {
      company_name: 'Harbour Dental',
      industry: 'Dentistry',
      location: 'Bristol',
      webhook_url: `${url}/health`,
    },
  })
  const id = String(data.assistant_id)
  const better = prompt
    .replace('17:30.', '17:30, and on Saturday from 10:00 to 13:00.')
    .replace('Be brief', 'Greet returning patients by name. Be brief')
  await send('PUT', `/assistants/${id}`, {
    name: 'Front desk',
    model: { messages: [{ role: 'system', content: better }] },
    voice: { speed: 1.05 },
  })
  for (const scenario of ['question', 'booking', 'goodbye', 'voicemail', 'question', 'booking']) {
    await send('POST', `/assistants/${id}/test-calls`, { scenario })
  }
  await send('PUT', `/assistants/${id}/embed`, {
    embed_config: {
      mode: 'chat',
      title: 'Harbour Dental',
      chat_first_message: 'Hello! Ask me about times and prices.',
      accent_color: '#3b4ac8',
    },
  })
  return [id, ...made]
}
