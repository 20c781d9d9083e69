import { type Caller, callerOf, operator } from '../admin/caller.ts'
import { newUser, type TestApp, testApp, type UserOptions } from '../support/app.ts'

/** An application with an operator who fills its catalogue. */
export interface Rig {
  app: TestApp
  admin: Caller
  /** Makes a catalogue entry; resolves to its id. */
  entry(kind: string, body: object): Promise<number>
  /** A new caller in a workspace of its own. */
  caller(options?: UserOptions): Promise<Caller>
}

export async function createRig(): Promise<Rig> {
  const app = await testApp()
  const admin = await operator(app)
  return {
    app,
    admin,
    async entry(kind, body) {
      const made = await admin.send('POST', `/admin/${kind}`, body)
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      return made.body.data.id
    },
    caller: async (options) => callerOf(app, await newUser(app.database, options)),
  }
}

/** The catalogue that the tests build from. */
export async function fillLayers({ entry }: Rig) {
  const base = await entry('base-configs', {
    name: 'Studio',
    config: {
      model: { provider: 'openai', model: 'gpt-4.1', maxTokens: 300 },
      voice: { provider: '11labs', voiceId: 'sarah', stability: 0.4, speed: 0.9 },
      transcriber: { provider: 'deepgram', model: 'nova-3', language: 'en' },
      firstMessage: 'Base hello',
      endCallMessage: 'Base bye',
      maxDurationSeconds: 300,
    },
  })
  const other = await entry('base-configs', {
    name: 'Plain',
    config: { voice: { provider: 'vapi', voiceId: 'Elliot' }, maxDurationSeconds: 900 },
  })
  const industry = await entry('industry-templates', {
    name: 'Dental',
    base_config_id: base,
    prompt: 'Book for {{company_name}} in {{city}}.',
    custom_fields: [
      { key: 'city', label: 'City' },
      { key: 'parking', label: 'Parking' },
      { key: 'license', label: 'Licence' },
    ],
  })
  const key = `calm-${crypto.randomUUID()}`
  const preset = await entry('layer2-presets', {
    key,
    name: 'Calm',
    overrides: { maxDurationSeconds: 120, voice: { speed: 1 }, endCallMessage: 'Preset bye' },
  })
  const otherKey = `brisk-${crypto.randomUUID()}`
  await entry('layer2-presets', { key: otherKey, name: 'Brisk', overrides: { maxDurationSeconds: 60 } })
  const personality = await entry('personalities', {
    name: 'Onyx',
    voice: { provider: 'openai', voiceId: 'onyx' },
    prompt: 'Be warm, {{assistant_name}}.',
  })
  const template = await entry('prompt-templates', {
    name: 'Greeter',
    prompt: 'Greet in {{city}}.',
    first_message: 'Template hi {{city}}',
    base_config_id: base,
  })
  const bare = await entry('prompt-templates', { name: 'Bare', prompt: 'Plain {{city}}.' })
  return { base, other, industry, preset, key, otherKey, personality, template, bare }
}

export type Layers = Awaited<ReturnType<typeof fillLayers>>
