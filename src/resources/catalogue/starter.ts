import type { Database, Transaction } from '../../db/client.ts'
import { baseConfigs, type CustomField, industryTemplates, layer2Presets, personalities, tools } from './table.ts'

const baseConfig = {
  name: 'Standard',
  config: {
    model: { provider: 'openai', model: 'gpt-4.1' },
    voice: { provider: 'vapi', voiceId: 'Elliot' },
    transcriber: { provider: 'deepgram', model: 'nova-3', language: 'en' },
    maxDurationSeconds: 600,
  },
}

const hours: CustomField = { key: 'opening_hours', label: 'Opening hours' }

const industries: { name: string; task: string; customFields: CustomField[] }[] = [
  {
    name: 'Dental practice',
    task: 'You book, move and cancel appointments at {{company_name}}. Ask for the name, the reason and a time. In an emergency, name the emergency line: {{emergency_number}}. Opening hours: {{opening_hours}}.',
    customFields: [hours, { key: 'emergency_number', label: 'Emergency line', required: true }],
  },
  {
    name: 'Real estate',
    task: 'You answer callers who ask about properties of {{company_name}} in {{service_area}}. Find out whether they buy, sell or rent, and their budget, and offer a viewing.',
    customFields: [{ key: 'service_area', label: 'Area served', required: true }],
  },
  {
    name: 'Home services',
    task: 'You take calls for {{company_name}}, which offers {{services_products}}. Ask what is wrong, where, and how urgent it is. A call-out costs {{call_out_fee}}. Opening hours: {{opening_hours}}.',
    customFields: [hours, { key: 'call_out_fee', label: 'Call-out fee' }],
  },
  {
    name: 'Restaurant',
    task: 'You take reservations for {{company_name}}. Ask for the date, the time, the number of guests and a name. Parties of more than {{largest_party}} are called back. Opening hours: {{opening_hours}}.',
    customFields: [hours, { key: 'largest_party', label: 'Largest party that can be booked', required: true }],
  },
]

const presets = [
  { key: 'concise', name: 'Concise', overrides: { model: { maxTokens: 150 }, voice: { speed: 1.1 } } },
  {
    key: 'patient',
    name: 'Patient listener',
    overrides: { startSpeakingPlan: { waitSeconds: 1.2 }, stopSpeakingPlan: { numWords: 3 }, voice: { speed: 0.9 } },
  },
  {
    key: 'private',
    name: 'No recordings',
    overrides: { compliancePlan: { recordingEnabled: false, transcriptionEnabled: false } },
  },
]

const voices = [
  { name: 'Elliot, calm and clear', voiceId: 'Elliot', prompt: 'You are calm, clear and to the point.' },
  {
    name: 'Lily, warm and cheerful',
    voiceId: 'Lily',
    prompt: 'You are warm and cheerful, and you smile when you speak.',
  },
  { name: 'Cole, brisk and professional', voiceId: 'Cole', prompt: 'You are brisk, professional and courteous.' },
  {
    name: 'Savannah, relaxed and friendly',
    voiceId: 'Savannah',
    prompt: 'You are relaxed and friendly, never in a hurry.',
  },
]

const globalTools = [
  { label: 'End the call', description: 'Hangs up when the conversation is over.', type: 'endCall', locked: true },
  { label: 'Transfer the call', description: 'Hands the caller to a person.', type: 'transferCall', locked: false },
  { label: 'Press keys', description: 'Presses keys on the phone, for menus.', type: 'dtmf', locked: false },
]

async function fill(tx: Transaction, options: { now: Date; withTools: boolean }): Promise<void> {
  const made = { createdAt: options.now, updatedAt: options.now }
  const [base] = await tx
    .insert(baseConfigs)
    .values({ ...baseConfig, ...made })
    .returning({ id: baseConfigs.id })
  if (!base) return
  await tx.insert(industryTemplates).values(
    industries.map(({ name, task, customFields }) => ({
      name,
      prompt: `You are {{assistant_name}}, on the phone. ${task}`,
      customFields,
      baseConfigId: base.id,
      ...made,
    })),
  )
  await tx.insert(layer2Presets).values(presets.map((preset) => ({ ...preset, ...made })))
  await tx
    .insert(personalities)
    .values(voices.map(({ voiceId, ...voice }) => ({ ...voice, voice: { provider: 'vapi', voiceId }, ...made })))
  if (!options.withTools) return
  await tx.insert(tools).values(globalTools.map((tool) => ({ ...tool, scope: 'global' as const, ...made })))
}

/**
 * Gives a new installation a small useful catalogue (spec 3, section 2): call it when the first admin is made.
 * An installation that has a base config is left as it is. A tool's id is the platform's, so `withTools` is only for
 * a platform that knows any tool, the embedded one. Returns whether it was filled.
 */
export function fillCatalogue(db: Database, options: { now: Date; withTools: boolean }): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [known] = await tx.select({ id: baseConfigs.id }).from(baseConfigs).limit(1)
    if (known) return false
    await fill(tx, options)
    return true
  })
}
