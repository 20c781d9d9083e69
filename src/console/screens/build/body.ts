import type { client } from '../../api/client.ts'

/** An assistant with how it was built. */
export type Built = Awaited<ReturnType<typeof client.assistantBuilder.get.query>>['data']

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

const idOf = (id: number | null | undefined) => (id == null ? null : String(id))

/** What the form holds of an assistant that was built; which industry it is of is not kept, so that it stays. */
export const choicesOf = ({ name, build_context, personality_id, metadata }: Built): Choices => ({
  ...firstChoices,
  name,
  base: idOf(build_context.base_config_id),
  preset: build_context.layer2_key,
  personality: idOf(personality_id),
  company: typeof metadata?.company_name === 'string' ? metadata.company_name : '',
})

/** What differs between two bodies: null for what was taken out. */
export function changedIn(before: BuildBody, after: BuildBody): Partial<BuildBody> {
  const left = Object.entries(before).flatMap(([key, value]) => (value === undefined ? [] : [[key, null]]))
  const all = {
    ...Object.fromEntries(left),
    ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
  }
  const earlier = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => JSON.stringify(earlier.get(key)) !== JSON.stringify(value)),
  )
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
