import { parseArgs } from 'node:util'
import { CommandError } from '../cli/error.ts'
import { type Api, clientOf, runningServer, runScript, serverHelp, serverOptions } from './running-server.ts'

const usage = `Usage: bun run seed [--email <address>]

Fills a running server with a demo workspace: a user with a token, assistants, and an agent with a file and a chat.
Needs an operator's token.

  --email  the user's address (default: demo@example.com); it must be new
${serverHelp}`

const read = () => parseArgs({ options: { ...serverOptions, email: { type: 'string' } } }).values

const assistants = [
  {
    name: 'Front desk',
    firstMessage: 'Hello, this is {{company_name}}. How can I help?',
    endCallMessage: 'Thank you for calling. Goodbye!',
    metadata: { company_name: 'Harbour Dental', industry: 'Dentistry', location: 'Bristol' },
  },
  {
    name: 'After hours',
    firstMessage: '{{company_name}} is closed right now. May I take a message?',
    metadata: { company_name: 'Harbour Dental' },
    maxDurationSeconds: 300,
  },
  { name: 'Reminder calls', type: 'production' as const, firstMessage: 'I am calling about your appointment.' },
]

const hours = `# Opening hours

Harbour Dental is open Monday to Friday from 9:00 to 17:30 and on Saturday from 10:00 to 13:00. It is closed on Sunday.
Emergencies are seen on the same day: call before 10:00. The first visit costs 45 pounds, children are seen free.
`

async function seedAgent(api: Api, server: { url: string; token: string }): Promise<string> {
  const { data: agent } = await api.agents.create.mutate({
    name: 'Practice guide',
    description: 'Answers questions about the practice.',
    instructions: 'You answer questions about Harbour Dental, in a friendly tone and in few words.',
  })
  // A file is a part of a form: the one call that has no typed form.
  const form = new FormData()
  form.set('file', new File([hours], 'opening-hours.md', { type: 'text/markdown' }))
  const uploaded = await fetch(`${server.url}/agents/${agent.id}/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${server.token}` },
  })
  if (!uploaded.ok) throw new CommandError(`The file was refused: ${await uploaded.text()}`)
  const { data: chat } = await api.chats.create.mutate({ agent_id: agent.id })
  const content = 'When are you open on Saturdays?'
  const { data: turn } = await api.messages.send.mutate({ agent_id: agent.id, chat_id: chat.id, content })
  return [
    `agent ${agent.id}: ${agent.name}, with a file and a chat`,
    `  ${content}`,
    `  ${turn.assistant_message.content}`,
  ].join('\n')
}

async function seed(): Promise<void> {
  const given = read()
  const { url, api: operator } = runningServer(given)
  const { data: user } = await operator.admin.users.create.mutate({
    name: 'Demo User',
    email: given.email ?? 'demo@example.com',
  })
  await operator.admin.workspaces.update.mutate({ id: user.workspace_id, name: 'Demo workspace' })
  const { data } = await operator.admin.tokens.create.mutate({ id: user.id, name: 'Demo' })
  console.log(`user ${user.id}: ${user.email}, workspace ${user.workspace_id}\ntoken ${data.token}`)
  const api = clientOf(url, data.token)
  for (const body of assistants) {
    const { data: made } = await api.assistants.create.mutate(body)
    console.log(`assistant ${made.assistant_id}: ${made.name}`)
  }
  console.log(await seedAgent(api, { url, token: data.token }))
}

await runScript(usage, read, seed)
