import type { Input, World } from './world.ts'

/** What a stranger's id in a field leads to. */
export type Outcome =
  /** The input is refused, as if the id named nothing. */
  | 'refused'
  /** The call is done as if the field were not there. */
  | 'unheeded'
  /** The id is kept as it was sent, and nothing of what it names is shown. */
  | 'kept'

/** An object that a field of an input names, and what another workspace's does there. */
export interface Reference {
  /** Makes one of the world's owner, with the owner's secret in it, and returns its id. */
  make(world: World): Promise<unknown>
  foreign: Outcome
  /** It belongs to the token that made it: another one of its user is a stranger, too (contract: chats 2). */
  ofToken?: true
  /** The whole input, where a field alone makes none: `own` names an object of the caller's. */
  input?(world: World, id: unknown, own: unknown): Promise<Input>
}

/** A word that stands in the objects of one user only. */
export const secretOf = ({ owner }: World) => `Hidden ${owner.userId}x`

const assistant = async (world: World) =>
  (await world.make('POST', '/assistants', { name: secretOf(world), firstMessage: secretOf(world) })).assistant_id

async function tool(world: World) {
  const { owner, operator } = world
  const body = {
    label: secretOf(world),
    description: secretOf(world),
    type: 'function',
    scope: 'own',
    owner_id: owner.userId,
    definition: { function: { name: 'look_up' } },
  }
  return (await world.make('POST', '/admin/tools', body, operator)).id
}

async function squad(world: World) {
  const { external_squad_id: draft } = await world.make('POST', '/squads', { name: secretOf(world), members: [] })
  const members = [{ assistantId: await assistant(world) }]
  return (await world.make('PUT', `/squads/${draft}`, { name: secretOf(world), members })).external_squad_id
}

const agent = async (world: World) => (await world.make('POST', '/agents', { name: secretOf(world) })).id

async function message(world: World) {
  const path = `/agents/${await agent(world)}/chats`
  const { id: chat } = await world.make('POST', path, {})
  const sent = await world.make('POST', `${path}/${chat}/messages`, { content: secretOf(world) })
  return { chat, id: (sent.user_message as Input).id }
}

async function session(world: World) {
  const { public_key: key } = await world.make('GET', `/assistants/${await assistant(world)}/embed`)
  const response = await world.app.send('POST', `/widget/${key}/chat`, { body: { message: secretOf(world) } })
  return (await response.json()).session_id
}

const call = async (world: World) =>
  (await world.make('POST', `/assistants/${await assistant(world)}/test-calls`, { messages: ['Hello'] })).id

const user: Reference = { make: async ({ owner }) => owner.userId, foreign: 'unheeded' }

const destination: Reference = {
  make: assistant,
  foreign: 'refused',
  async input(world, id, own) {
    const { assistant_id: first } = await world.make('POST', '/assistants', { name: 'First' })
    const handOff = { type: 'assistant', assistantName: secretOf(world), assistantId: id }
    return { name: 'Team', members: [{ assistantId: first, assistantDestinations: [handOff] }, { assistantId: own }] }
  },
}

/** Fields whose ids name nothing that belongs to a workspace, and why. */
const nobodys: Record<string, string> = {
  template_id: 'the catalogue is for everybody',
  prompt_template_id: 'the catalogue is for everybody',
  industry_template_id: 'the catalogue is for everybody',
  base_config_id: 'the catalogue is for everybody',
  personality_id: 'the catalogue is for everybody',
  'voice.voiceId': 'a voice of the speech provider',
  voice_workflow_id: 'a workflow of the live platform, which is taken as it is',
  'fallback_destination.callerId': 'a phone number',
  'server.credentialId': 'a credential of the server, by the name that its operator gave it',
}

/** By field, or by procedure and field where a name says too little. */
const references: Record<string, Reference> = {
  user_id: user,
  workspace_id: { make: async ({ owner }) => owner.workspaceId, foreign: 'unheeded' },
  reseller_id: { make: async ({ owner }) => owner.resellerId, foreign: 'unheeded' },
  owner_id: { make: async (world) => (await tool(world)) && world.owner.userId, foreign: 'unheeded' },
  'model.toolIds': { make: tool, foreign: 'refused' },
  voice_assistant_id: { make: assistant, foreign: 'refused' },
  voice_squad_id: { make: squad, foreign: 'refused' },
  'squads.draft members.*.assistantId': { make: assistant, foreign: 'kept' },
  'squads.draft members.*.assistantDestinations.*.assistantId': { ...destination, foreign: 'kept' },
  'members.*.assistantId': { make: assistant, foreign: 'refused' },
  'members.*.assistantDestinations.*.assistantId': destination,
  agent: { make: agent, foreign: 'refused' },
  chat: {
    make: async (world) => (await message(world)).chat,
    foreign: 'refused',
    ofToken: true,
    input: async (_world, chat) => ({ chat, messages: [{ role: 'user', content: 'Hello' }] }),
  },
  before_id: { make: async (world) => (await message(world)).id, foreign: 'unheeded' },
  call_id: { make: call, foreign: 'unheeded' },
  session_id: { make: session, foreign: 'unheeded' },
}

/** What a field of a procedure names; throws for a field that nobody has thought of. */
export function referenceOf(procedure: string, field: string): Reference | undefined {
  const known = references[`${procedure} ${field}`] ?? references[field]
  if (!known && !(field in nobodys)) {
    throw new Error(`${procedure}: say in test/matrix/references.ts what {${field}} names, and whose it is`)
  }
  return known
}
