const voice = { provider: 'vapi', voiceId: 'Elliot' }
const transcriber = { provider: 'deepgram', model: 'nova-3', language: 'en' }

/** Said by the assistant, they end the call: a caller need not hang up. */
const endCallPhrases = ['goodbye', 'have a nice day', 'have a good day']

/** The first is the one that the industries are built on. */
export const starterBaseConfigs = [
  {
    name: 'Balanced',
    config: {
      model: { provider: 'openai', model: 'gpt-4.1', temperature: 0.3, maxTokens: 250 },
      voice,
      transcriber,
      firstMessage: 'Hello, this is {{assistant_name}} at {{company_name}}. How can I help?',
      endCallMessage: 'Thank you for calling {{company_name}}. Goodbye.',
      voicemailMessage: 'This is {{company_name}}. Please call us back when it suits you.',
      endCallPhrases,
      maxDurationSeconds: 600,
      firstMessageMode: 'assistant-speaks-first',
    },
  },
  {
    name: 'Fast and economical',
    config: {
      model: { provider: 'openai', model: 'gpt-4.1-mini', temperature: 0.2, maxTokens: 150 },
      voice,
      transcriber,
      firstMessage: 'Hello, {{company_name}}, {{assistant_name}} speaking.',
      endCallMessage: 'Thank you, goodbye.',
      endCallPhrases,
      maxDurationSeconds: 300,
    },
  },
]

const leadSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the caller' },
    phone: { type: 'string', description: 'Number to call back' },
    need: { type: 'string', description: 'What the caller is looking for' },
    budget: { type: 'string', description: 'Budget as the caller put it' },
    timeline: { type: 'string', description: 'When it is wanted' },
    decides_alone: { type: 'boolean', description: 'Whether the caller decides alone' },
    qualified: { type: 'boolean', description: 'Whether a person should follow up' },
  },
  required: ['need', 'qualified'],
}

export const starterPresets = [
  {
    key: 'receptionist',
    name: 'Receptionist',
    overrides: {
      firstMessage: 'Thank you for calling {{company_name}}, this is {{assistant_name}}. How can I help you today?',
      firstMessageInterruptionsEnabled: true,
      backgroundSound: 'office',
      analysisPlan: { successEvaluationPlan: { rubric: 'PassFail' } },
      keypadInputPlan: { enabled: true, terminateOnHash: true },
    },
  },
  {
    key: 'lead-qualification',
    name: 'Lead qualification',
    overrides: {
      firstMessage:
        'Hello, this is {{assistant_name}} from {{company_name}}. May I ask a few short questions, so that the right person gets back to you?',
      endCallMessage: 'Thank you. Someone from {{company_name}} will be in touch soon. Goodbye.',
      maxDurationSeconds: 480,
      analysisPlan: {
        structuredDataPlan: { enabled: true, schema: leadSchema },
        successEvaluationPlan: { rubric: 'NumericScale' },
      },
      startSpeakingPlan: { waitSeconds: 0.8 },
    },
  },
  {
    key: 'after-hours',
    name: 'After hours',
    overrides: {
      firstMessage:
        'Thank you for calling {{company_name}}. We are closed at the moment. I am {{assistant_name}}: I can take a message, or help you if it is urgent.',
      endCallMessage: 'Thank you. We will get back to you when we open. Goodbye.',
      maxDurationSeconds: 240,
      backgroundSound: 'off',
      analysisPlan: { summaryPlan: { enabled: true } },
    },
  },
]

export const starterPersonalities = [
  {
    name: 'Elliot, calm and clear',
    voice: { provider: 'vapi', voiceId: 'Elliot' },
    prompt:
      'You are calm and clear. You speak plainly, never hurry a caller, and when somebody is upset you first say that you have understood.',
  },
  {
    name: 'Lily, warm and cheerful',
    voice: { provider: 'vapi', voiceId: 'Lily' },
    prompt:
      'You are warm and cheerful. You sound glad that somebody called, use their name once you know it, and keep small talk to a sentence.',
  },
  {
    name: 'Cole, brisk and professional',
    voice: { provider: 'vapi', voiceId: 'Cole', speed: 1.1 },
    prompt:
      'You are brisk and professional. You come to the point, confirm each detail in a few words, and are courteous without padding.',
  },
  {
    name: 'Savannah, relaxed and friendly',
    voice: { provider: 'vapi', voiceId: 'Savannah' },
    prompt:
      'You are relaxed and friendly. You use everyday words, let callers finish, and turn complicated questions into simple ones.',
  },
]

/** Made on the embedded platform with the catalogue. */
export const starterTools = [
  { label: 'End the call', description: 'Hangs up when the conversation is over.', type: 'endCall', locked: true },
  {
    label: 'Transfer the call',
    description:
      'Hands the caller over to a person. It does so once its definition has destinations[], such as {type: number, number}.',
    type: 'transferCall',
    locked: false,
  },
  { label: 'Press keys', description: 'Presses keys on the phone, for menus.', type: 'dtmf', locked: false },
]
