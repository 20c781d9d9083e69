/** What the pictures show, made over the API. */
export interface Furnished {
  token: string
  assistant: string
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
  const created = await operator('POST', `/admin/users/${user.id}/tokens`, { name: 'console' })
  const token = String(created.data.token)
  const send = sender(token)
  const assistant = await furnishAssistants(send, url)
  return { token, assistant }
}

async function furnishAssistants(send: Send, url: string): Promise<string> {
  const names = ['Reminder calls', 'After hours', 'Returns and refunds']
  for (const [index, name] of names.entries()) {
    await send('POST', '/assistants', {
      name,
      type: index === 0 ? 'production' : 'demo',
      firstMessage: [
        'I am calling about your appointment.',
        'We are closed right now. May I take a message?',
        'Hello, what would you like to send back?',
      ][index],
    })
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
    selected_phone_number: undefined,
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
  return id
}
