import type { client } from '../../api/client.ts'
import { at } from '../assistants/current-version.ts'

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

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * What the form holds of an assistant that was built. Its industry and its own texts are told by its history; where that
 * does not hold them any more, they are left as they are.
 */
export function choicesOf(
  { name, build_context, personality_id, metadata }: Built,
  configuration: Record<string, unknown> | undefined,
): Choices {
  const industry = at(configuration, 'industry_template_id')
  const variables = Object.entries(metadata.variable_values ?? {})
  return {
    name,
    base: idOf(build_context.base_config_id),
    industry: typeof industry === 'number' ? String(industry) : null,
    preset: build_context.layer2_key,
    personality: idOf(personality_id),
    company: textOf(metadata.company_name),
    greeting: textOf(at(configuration, 'request', 'first_message')),
    prompt: textOf(at(configuration, 'request', 'system_prompt')),
    answers: Object.fromEntries(variables.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))),
  }
}

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

/** What an industry needs to know. */
export type Question = Options['industry_templates'][number]['custom_fields'][number]

/** What the form's choices can be. */
export type Options = Awaited<ReturnType<typeof client.assistantBuilder.formOptions.query>>['data']

/** The industry's questions that need an answer and have none. */
export const unanswered = (questions: readonly Question[], { answers }: Choices): Question[] =>
  questions.filter(({ key, required }) => required && !answers[key]?.trim())

/** What is missing, at the form's fields, before the server is asked. */
export const problemsOf = (choices: Choices, questions: readonly Question[]): Record<string, string> => ({
  ...(choices.name.trim() === '' && { name: 'Assistant name is required.' }),
  ...Object.fromEntries(
    unanswered(questions, choices).map(({ key, label }) => [`answers.${key}`, `${label}: an answer is needed.`]),
  ),
})

/** The choices with the names of the questions that have no answer yet in the place of answers, so that texts can be shown. */
export const filledIn = (choices: Choices, questions: readonly Question[]): Choices => ({
  ...choices,
  name: choices.name || '[Name]',
  answers: {
    ...choices.answers,
    ...Object.fromEntries(unanswered(questions, choices).map(({ key, label }) => [key, `[${label}]`])),
  },
})

/** Placeholders that have a field of their own in the form. */
const ownFields = ['company_name', 'assistant_name']

/** The placeholders to ask for beside the industry's questions: those without a value, and those that got one here. */
export function placeholdersToAsk(unresolved: readonly string[], choices: Choices, options: Options): string[] {
  const asked = new Set(options.industry_templates.flatMap(({ custom_fields }) => custom_fields.map(({ key }) => key)))
  const names = new Set([...unresolved, ...Object.keys(choices.answers)])
  return [...names].filter((name) => !asked.has(name) && !ownFields.includes(name) && !name.includes('.'))
}
