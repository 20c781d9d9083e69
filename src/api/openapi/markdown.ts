import { isObject, type Json } from '../../json/object.ts'

const entries = (object: unknown): [string, Json][] =>
  isObject(object) ? Object.entries(object).filter((entry): entry is [string, Json] => isObject(entry[1])) : []

const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``

/** What one may send or gets, by the first example of a body. */
function exampleOf(content: unknown): unknown {
  const [[, media] = []] = entries(content)
  const [[, named] = []] = entries(media?.examples)
  return media?.example ?? named?.value
}

/** An operation of a description with its place in it. */
export interface Described {
  id: string
  method: string
  path: string
  summary: string
  operation: Json
}

/** Every operation of a description, in its order. */
export const describedIn = (document: Json): Described[] =>
  entries(document.paths).flatMap(([path, item]) =>
    entries(item).map(([method, operation]) => ({
      id: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      summary: String(operation.summary),
      operation,
    })),
  )

function parametersOf(operation: Json): string {
  const list = Array.isArray(operation.parameters) ? operation.parameters.filter(isObject) : []
  const lines = list
    .filter(({ name }) => typeof name === 'string')
    .map(({ name, in: place, required, description }) => {
      return `- \`${name}\` (${place}${required === true ? ', required' : ''})${description ? `: ${description}` : ''}`
    })
  return lines.length > 0 ? `## Parameters\n\n${lines.join('\n')}` : ''
}

/** An operation as a page of Markdown: what it does, what it takes, what it responds. */
export function operationMarkdown({ id, method, path, summary, operation }: Described): string {
  const body = isObject(operation.requestBody) ? exampleOf(operation.requestBody.content) : undefined
  const responses = entries(operation.responses).map(([status, response]) => {
    const example = Number(status) < 300 ? exampleOf(response.content) : undefined
    const said = response.description ?? response.$ref
    return `- ${status}: ${said}${example === undefined ? '' : `\n\n${fenced(example)}\n`}`
  })
  const procedure = operation['x-trpc-procedure']
  const parts = [
    `# ${summary}`,
    `\`${method} ${path}\`${procedure ? `, over typed RPC \`${procedure}\`` : ''}, operation \`${id}\``,
    typeof operation.description === 'string' ? operation.description : '',
    parametersOf(operation),
    body === undefined ? '' : `## Body\n\n${fenced(body)}`,
    `## Responses\n\n${responses.join('\n')}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A guide: the name of its page, its title, and what it is about. */
export interface Guide {
  name: string
  text: string
}

const titleOf = ({ name, text }: Guide) => /^# (.*)$/m.exec(text)?.[1] ?? name

const aboutOf = ({ text }: Guide) => {
  const [, first = ''] = text.split(/\n\n/)
  return first.replace(/\s+/g, ' ').trim()
}

/** The list of everything to read, for language models: guides, then operations by group. */
export function llmsText(document: Json, guides: readonly Guide[]): string {
  const groups = new Map<string, string[]>()
  for (const { id, method, path, summary, operation } of describedIn(document)) {
    const [tag = 'Other'] = Array.isArray(operation.tags) ? operation.tags.map(String) : []
    const line = `- [${method} ${path}](docs/operations/${id}.md): ${summary}`
    groups.set(tag, [...(groups.get(tag) ?? []), line])
  }
  const parts = [
    '# Switchboard',
    '> Voice assistants that answer phone calls, and chat agents, managed over REST, typed RPC and MCP.',
    'Send `Authorization: Bearer <token>` with every request. The whole description is at [openapi.json](openapi.json).',
    `## Guides\n\n${guides.map((guide) => `- [${titleOf(guide)}](docs/guides/${guide.name}.md): ${aboutOf(guide)}`).join('\n')}`,
    ...[...groups].map(([tag, lines]) => `## ${tag}\n\n${lines.join('\n')}`),
  ]
  return `${parts.join('\n\n')}\n`
}
