import { client } from '../../api/client.ts'

type Configuration = Awaited<ReturnType<typeof client.assistantVersions.get.query>>['data']['configuration']

/**
 * The configuration that the history keeps of the assistant as it is now: texts with their placeholders, and what it
 * was built from. Undefined when the history does not hold it any more.
 */
export async function currentConfiguration(assistantId: string): Promise<NonNullable<Configuration> | undefined> {
  const { data } = await client.assistantVersions.list.query({ assistantId })
  const current = data.find(({ is_current }) => is_current)
  if (!current) return undefined
  const version = await client.assistantVersions.get.query({ assistantId, entryId: current.id })
  return version.data.configuration ?? undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The value at a path of what the API does not say the shape of. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value)

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The prompt that stands in calls, as it was written: one's own, the template's, or that of the other layers. */
export function writtenPrompt(configuration: Configuration | undefined): string | undefined {
  const above =
    textOf(at(configuration, 'request', 'system_prompt')) ??
    textOf(at(configuration, 'rendered_from', 'template', 'prompt'))
  if (above !== undefined) return above
  const messages = at(configuration, 'config', 'model', 'messages')
  if (!Array.isArray(messages)) return undefined
  const system: unknown = messages.find((message) => at(message, 'role') === 'system')
  return textOf(at(system, 'content'))
}
