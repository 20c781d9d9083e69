const prompt = `You are the receptionist of {{company_name}}, a dental practice in {{location}}.
${[
  'Greet the caller by name once you know it, and speak in short, plain sentences.',
  'Ask one question at a time and wait for the answer before you go on.',
  'Find out whether the caller wants a new appointment, to move or cancel one, or has a question.',
  'For a new appointment ask for the full name, date of birth, telephone number and the reason of the visit.',
  'Repeat dates, times and numbers back and have them confirmed before you save anything.',
  'Offer the next three free times; never promise a time that the calendar does not show as free.',
  'A caller in strong pain, with swelling or after an accident is put through to the practice at once.',
  'Never give medical advice, never name a price, and never read out the data of another patient.',
  'When you did not understand, say so and ask again; after the third time offer to be called back.',
  'Externals the opening hours say when the practice opens and offer to take a message.',
  'When everything is settled, sum it up in one sentence, thank the caller and say goodbye.',
]
  .map((line) => `- ${line}`)
  .join('\n')}
The practice opens {{opening_hours}}. Its doctors are {{doctors}}.`

/** The body of a create, of the kind that a customer sends: all in all about three kilobytes. */
export const sampleBody = {
  name: 'Front desk',
  type: 'production' as const,
  firstMessage: 'Hello, this is {{company_name}}. How can I help you today?',
  endCallMessage: 'Thank you for calling {{company_name}}. Goodbye!',
  voicemailMessage: 'You have reached {{company_name}}. Please call us back.',
  endCallPhrases: ['goodbye', 'have a nice day'],
  maxDurationSeconds: 900,
  backgroundSound: 'office' as const,
  voicemailDetection: { enabled: true, beepDetection: true },
  transcriber: { language: 'en', confidenceThreshold: 0.4 },
  model: { messages: [{ role: 'system', content: prompt }], maxTokens: 400 },
  voice: { voiceId: 'Elliot', speed: 1.05 },
  compliancePlan: { recordingEnabled: true, transcriptionEnabled: true, dataRetentionDays: 30 },
  startSpeakingPlan: { waitSeconds: 0.6 },
  stopSpeakingPlan: { numWords: 2, backoffSeconds: 1 },
  metadata: {
    company_name: 'Bright Smile Dental',
    industry: 'Health',
    location: 'Springfield',
    country: 'US',
    services_products: 'Check-ups, fillings, implants, orthodontics, emergency care',
    webhook_url: 'https://example.com/call-events',
    available24_7: false,
    standard_hours: 'Monday to Friday, 8 am to 6 pm',
    always_say: ['The practice is wheelchair accessible.'],
    never_say: ['We are too busy.'],
  },
  variableValues: { opening_hours: 'Monday to Friday, 8 am to 6 pm', doctors: 'Dr. Miller and Dr. Jones' },
}
