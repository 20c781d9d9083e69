import type { client } from '../../api/client.ts'
import { changedFields } from '../../parts/changes.ts'
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
 * What the form holds of an assistant that was built. Its industry and its own texts are told by its history; where
 * that does not hold them any more, they are left as they are.
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

const questionsIn = (industries: readonly Industry[]) =>
  new Set(industries.flatMap(({ custom_fields }) => custom_fields.map(({ key }) => key)))

/** The answers that the form asks for: none to the questions of another industry than the chosen one. */
function answersOf({ answers, industry }: Choices, { industry_templates: all }: Options): [string, string][] {
  const asked = questionsIn(all.filter(({ id }) => String(id) === industry))
  const known = questionsIn(all)
  return Object.entries(answers).filter(([key]) => asked.has(key) || !known.has(key))
}

/**
 * What turns one state of the form into another, for what was built: null for what was emptied, also of single answers;
 * what else is kept beside them stays.
 */
export function changesOf(before: Choices, after: Choices, options: Options): Partial<BuildBody> {
  const { metadata: _metadata, variable_values: _values, ...old } = buildBody(before, options)
  const { metadata: _company, variable_values: _answers, ...plain } = buildBody(after, options)
  const cleared = Object.entries(changedFields(old, plain)).map(([key, value]) => [key, value ?? null])
  const answers = answersOf(after, options).filter(([key, answer]) => answer !== (before.answers[key] ?? ''))
  return {
    ...Object.fromEntries(cleared),
    ...(before.company !== after.company && { metadata: { company_name: after.company || null } }),
    ...(answers.length > 0 && {
      variable_values: Object.fromEntries(answers.map(([key, answer]) => [key, answer || null])),
    }),
  }
}

const idIn = (text: string | null) => (text === null ? undefined : Number(text))

/** The body that builds what the form says; what is empty is left to the layers. */
export function buildBody(choices: Choices, options: Options): BuildBody {
  const { name, base, industry, preset, personality, company, greeting, prompt } = choices
  const given = answersOf(choices, options).filter(([, answer]) => answer !== '')
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

type Industry = Options['industry_templates'][number]

/** What an industry needs to know. */
export type Question = Industry['custom_fields'][number]

/** What the form's choices can be. */
export type Options = Awaited<ReturnType<typeof client.assistantBuilder.formOptions.query>>['data']

/** The industry's questions that need an answer and have none. */
export const unanswered = (questions: readonly Question[], { answers }: Choices): Question[] =>
  questions.filter(({ key, required }) => required && !answers[key]?.trim())

/**
 * What is missing, at the form's fields, before the server is asked.
 * @param exists whether it is built anew: its base may be a copy that is no longer in the catalogue
 */
export const problemsOf = (
  choices: Choices,
  questions: readonly Question[],
  exists: boolean,
): Record<string, string> => ({
  ...(choices.name.trim() === '' && { name: 'Assistant name is required.' }),
  ...(!exists && !choices.industry && !choices.base && { industry: 'Choose an industry or a base.' }),
  ...Object.fromEntries(
    unanswered(questions, choices).map(({ key, label }) => [`answers.${key}`, `${label}: an answer is needed.`]),
  ),
})

/**
 * The choices with the names of the questions that have no answer yet in the place of answers, so that texts can be
 * shown.
 */
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
  const asked = questionsIn(options.industry_templates)
  const names = new Set([...unresolved, ...Object.keys(choices.answers)])
  return [...names].filter((name) => !asked.has(name) && !ownFields.includes(name) && !name.includes('.'))
}
