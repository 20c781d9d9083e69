const labels: [path: RegExp, label: string][] = [
  [/^(model\.messages|system_prompt|prompt)\b/, 'Prompt'],
  [/^model\.toolIds\b/, 'Tools'],
  [/^model\.maxTokens$/, 'Longest reply'],
  [/^name$/, 'Name'],
  [/^type$/, 'Type'],
  [/^firstMessage$/, 'Greeting'],
  [/^firstMessageMode$/, 'At the start'],
  [/^endCallMessage$/, 'Last words'],
  [/^voicemailMessage$/, 'On a voicemail'],
  [/^maxDurationSeconds$/, 'Longest call'],
  [/^backgroundSound$/, 'Background sound'],
  [/^voice(\.voiceId)?$/, 'Voice'],
  [/^voice\.speed$/, 'Speed'],
  [/^transcriber\.language$/, 'Language'],
  [/^widget_embed_config\b/, 'Widget'],
  [/^metadata\.variable_values\b/, 'Variables'],
  [/^personality_id$/, 'Personality'],
  [/^base_config_id$/, 'Base'],
  [/^industry_template_id$/, 'Industry template'],
  [/^layer2_key$/, 'Preset'],
  [/^(metadata\.)?webhook_url$/, 'Webhook'],
  [/^phone_number$/, 'Number'],
  [/^metadata\.company_name$/, 'Company'],
  [/^metadata\.industry$/, 'Industry'],
  [/^metadata\.location$/, 'Location'],
  [/^metadata\.always_say\b/, 'Always says'],
  [/^metadata\.never_say\b/, 'Never says'],
]

/** What the editor calls the setting at a path; the path itself where it has no field. */
export const labelOf = (path: string): string => labels.find(([known]) => known.test(path))?.[1] ?? path

/** Where a change was made, in the console's words. */
export const places: Record<string, string | undefined> = {
  regular: 'API',
  advanced: 'editor',
  v2: 'builder',
  embed: 'website',
  phone_number: 'number',
  platform: 'voice platform',
  reconcile: 'differences',
  import: 'import',
}
