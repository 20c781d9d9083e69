import type { client } from '../../api/client.ts'

export type BuildBody = Parameters<typeof client.assistantBuilder.preview.mutate>[0]

/** What the form holds; a layer that is not chosen is null. */
export interface Choices {
  name: string
  base: string | null
  industry: string | null
  preset: string | null
  personality: string | null
  company: string
  greeting: string
  prompt: string
  /** By the key of the industry's question. */
  answers: Record<string, string>
}

export const firstChoices: Choices = {
  name: '',
  base: null,
  industry: null,
  preset: null,
  personality: null,
  company: '',
  greeting: '',
  prompt: '',
  answers: {},
}

const idIn = (text: string | null) => (text === null ? undefined : Number(text))

/** The body that builds what the form says; what is empty is left to the layers. */
export function buildBody({
  name,
  base,
  industry,
  preset,
  personality,
  company,
  greeting,
  prompt,
  answers,
}: Choices): BuildBody {
  const given = Object.entries(answers).filter(([, answer]) => answer !== '')
  return {
    name,
    base_config_id: idIn(base),
    industry_template_id: idIn(industry),
    layer2_key: preset ?? undefined,
    personality_id: idIn(personality),
    first_message: greeting || undefined,
    system_prompt: prompt || undefined,
    metadata: company ? { company_name: company } : undefined,
    variable_values: given.length > 0 ? Object.fromEntries(given) : undefined,
  }
}

const fields: Record<string, string> = {
  base_config_id: 'base',
  industry_template_id: 'industry',
  layer2_key: 'preset',
  personality_id: 'personality',
  first_message: 'greeting',
  system_prompt: 'prompt',
  'metadata.company_name': 'company',
}

/** The form's field for a field of the API. */
export const fieldOf = (path: string): string =>
  fields[path] ?? (path.startsWith('variable_values.') ? path.replace('variable_values', 'answers') : path)
