import { randomUUID } from 'node:crypto'
import type { Input, World } from './world.ts'

/** Input besides the path's, given the values of the path. */
type MakeInput = (world: World, params: Input) => Input | Promise<Input>

const always =
  (input: Input): MakeInput =>
  () =>
    input
const named = (name: string) => always({ name })

const promptTemplate = always({ name: 'Clinic', prompt: 'You work at {{company_name}}.' })
const baseConfig = always({ name: 'Plain', config: {} })
const industryTemplate: MakeInput = async ({ make, operator }) => {
  const { id } = await make('POST', '/admin/base-configs', { name: 'Plain', config: {} }, operator)
  return { name: 'Dentists', base_config_id: id, prompt: 'You work for dentists.' }
}
const layer2Preset: MakeInput = () => ({ key: `preset-${randomUUID()}`, name: 'Brief', overrides: {} })
const personality = always({ name: 'Sarah', voice: { provider: '11labs', voiceId: 'sarah' } })
const tool = always({ label: 'Look up', description: 'Looks something up.', type: 'function', scope: 'global' })
const modelPrice: MakeInput = () => ({
  model: `model-${randomUUID()}`,
  prompt_usd_per_million: 1,
  completion_usd_per_million: 2,
})
const build: MakeInput = async ({ make, operator }) => {
  const { id } = await make('POST', '/admin/base-configs', { name: 'Plain', config: {} }, operator)
  return { name: 'Built', base_config_id: id }
}
const squad: MakeInput = async ({ make }) => {
  const { assistant_id: assistantId } = await make('POST', '/assistants', {
    name: `Member ${randomUUID().slice(0, 8)}`,
  })
  return { name: 'Team', members: [{ assistantId }] }
}

/**
 * A valid input of every procedure that cannot do without one, by the procedure's name; a path's own values come from
 * `resources.ts`. The matrix fails for a procedure that needs an entry and has none.
 */
export const inputs: Record<string, MakeInput> = {
  'assistants.create': named('Desk'),
  'assistants.update': named('Desk'),
  'assistants.updateAdvanced': named('Desk'),
  'assistants.reconcile': always({ keep: 'merge' }),
  'phoneNumbers.reconcile': always({ keep: 'merge' }),
  'squads.reconcile': always({ keep: 'merge' }),
  'assistantBuilder.preview': build,
  'assistantBuilder.create': build,
  'assistantBuilder.update': build,
  'embed.update': always({ embed_config: { mode: 'chat' } }),
  'widget.chat': always({ message: 'Hello' }),
  'phoneNumbers.buy': async ({ make }) => {
    const [offer] = (await make('GET', '/phone-numbers/available')) as unknown as Input[]
    return { phone_number: offer?.phone_number }
  },
  'squads.draft': always({ name: 'Team', members: [] }),
  'squads.publish': squad,
  'agents.create': named('Helper'),
  'budgets.putOfAgent': always({ window: 'day', tokens: 1_000 }),
  'budgets.putOfToken': always({ window: 'day', tokens: 1_000 }),
  'agentFiles.upload': () => ({ file: new File(['We open at nine.'], 'hours.txt') }),
  'agentFiles.search': always({ q: 'When do you open?' }),
  'agentShares.put': always({ access: 'view' }),
  // Nobody listens there: a connector that is out of reach is kept and shown all the same.
  'connectors.create': always({ name: 'Tools', server_url: 'http://127.0.0.1:9/mcp' }),
  'connectors.enable': always({ enabled: true }),
  'connectors.enableTool': always({ enabled: false }),
  'chats.update': always({ title: 'Opening hours' }),
  'messages.send': always({ content: 'Hello' }),
  'completions.create': async ({ make }) => {
    const { id } = await make('POST', '/agents', { name: 'Helper' })
    return { agent: id, messages: [{ role: 'user', content: 'Hello' }] }
  },
  'imports.create': always({ all: true, dry_run: true }),
  'profile.update': named('Ada'),
  'tokens.create': named('CI'),
  'admin.resellers.create': named('R'),
  'admin.workspaces.create': named('W'),
  'admin.credits.create': () => ({ payment_id: randomUUID(), tokens: 1000 }),
  'admin.users.create': () => ({ name: 'Ada', email: `${randomUUID()}@example.com` }),
  'admin.promptTemplates.create': promptTemplate,
  'admin.promptTemplates.replace': promptTemplate,
  'admin.baseConfigs.create': baseConfig,
  'admin.baseConfigs.replace': baseConfig,
  'admin.industryTemplates.create': industryTemplate,
  'admin.industryTemplates.replace': industryTemplate,
  'admin.layer2Presets.create': layer2Preset,
  'admin.layer2Presets.replace': layer2Preset,
  'admin.personalities.create': personality,
  'admin.personalities.replace': personality,
  'admin.tools.create': tool,
  'admin.tools.replace': tool,
  'admin.modelPrices.create': modelPrice,
  'admin.modelPrices.replace': modelPrice,
}

/** Procedures that only one face can carry, and why. */
export const oneFace: Record<string, 'rest'> = {
  // A file is a part of a form; a tRPC input is JSON.
  'agentFiles.upload': 'rest',
  // An answer of bytes.
  'agentFiles.download': 'rest',
}
