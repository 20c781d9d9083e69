import type { Operation } from '../operations.ts'
import type { OpenApiDocument, PathItem } from './types.ts'

/** The sections of the documentation, in the order in which they are shown; those without an operation are left out. */
const tags: OpenApiDocument['tags'] = [
  {
    name: 'Assistants',
    description: 'Voice assistants that answer phone calls. A write reaches the live voice platform first.',
  },
  {
    name: 'v2 builder',
    description:
      'Builds assistants from layers: base config, industry template, preset, personality, prompt template, own texts.',
  },
  {
    name: 'Assistant history',
    description: "An assistant's earlier configurations. Each can be compared and made current again.",
  },
  {
    name: 'Drift',
    description: 'What was changed on the live platform outside this service, and what becomes of it.',
  },
  { name: 'Website widget', description: 'A chat widget for any page, with its configuration and the tag to paste.' },
  {
    name: 'Phone numbers',
    description: 'Numbers bought at a carrier, registered on the live voice platform and routed to what answers.',
  },
  { name: 'Squads', description: 'Assistants that hand a call over to each other. The first member answers.' },
  {
    name: 'Calls',
    description: "An assistant's calls and their statistics, and simulated calls to try an assistant.",
  },
  {
    name: 'Webhook deliveries',
    description: 'What was sent about calls, when it is tried again, and what was given up and can be replayed.',
  },
  { name: 'Profile', description: 'The calling user.' },
  { name: 'Tokens', description: "The calling user's tokens; a new one is shown once." },
  { name: 'Usage', description: 'The prepaid balance that agents spend, and every change of it.' },
  { name: 'Agents', description: 'Conversational agents: instructions, memory, and who may use them.' },
  { name: 'Agent shares', description: 'The users that an agent is shared with; for its owner.' },
  { name: 'Chats', description: 'Threads of an agent. A chat belongs to the token that made it.' },
  { name: 'Messages', description: 'Messages of a chat. Sending one runs a turn of the assistant.' },
  { name: 'Completions', description: 'The chat-completions format: point an existing client at this server.' },
  { name: 'Knowledge files', description: 'Files that an agent answers from, and the search over them.' },
  { name: 'Connectors', description: 'External tool servers (MCP), and which of their tools an agent may call.' },
  { name: 'Models', description: 'The language models that can be named.' },
  { name: 'Operator: resellers', description: 'For operators: resellers, who have workspaces.' },
  { name: 'Operator: workspaces', description: 'For operators: workspaces, which own resources, and their credits.' },
  { name: 'Operator: users', description: 'For operators: users, their roles and features, and their tokens.' },
  {
    name: 'Operator: catalogue',
    description: 'For operators: templates, base configurations, personalities, tools and prices to build with.',
  },
  {
    name: 'Operator: imports',
    description: 'For operators: what lives on the voice platform without a record, and its adoption.',
  },
  {
    name: 'Operator: installation',
    description: 'For operators: the version, how far an upgrade is, and how background work is doing.',
  },
  { name: 'Operator: audit', description: 'For operators: who changed which account or entry, and when.' },
  { name: 'System', description: 'Health of this installation, and this description. No token is needed.' },
]

/** The groups of sections, each from its first section to the next group's. */
const groups: [name: string, first: string][] = [
  ['Voice', 'Assistants'],
  ['Your account', 'Profile'],
  ['Agents', 'Agents'],
  ['Operators', 'Operator: resellers'],
  ['This installation', 'System'],
]

const ofExtensions = ({ name, description }: OpenApiDocument['tags'][number]) => ({
  name: `${name} (extension)`,
  description: `Beyond the original API. ${description}`,
})

/**
 * The tag of an operation: extensions have their own (contract: rest 29), also where they extend a documented section.
 */
export function sectionOf(operations: readonly Operation[]): (operation: Operation) => string {
  const tagOf = ({ meta }: Operation) => meta.openapi.tags?.[0] ?? 'Other'
  const documented = new Set(operations.filter(({ meta }) => !meta.extension).map(tagOf))
  return (operation) => {
    const name = tagOf(operation)
    return operation.meta.extension && documented.has(name) ? ofExtensions({ name, description: '' }).name : name
  }
}

/** The tags that operations use, in the order of the sections; one that is not described there comes last. */
export function tagsOf(paths: Record<string, PathItem>): OpenApiDocument['tags'] {
  const names = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((entry) => entry.tags ?? [])),
  )
  const known = tags.flatMap((tag) => [tag, ofExtensions(tag)]).filter(({ name }) => names.delete(name))
  return [...known, ...[...names].map((name) => ({ name, description: name }))]
}

/**
 * The groups that the tags of a document fall into, in their order; a tag that is not described here is in the last.
 */
export function tagGroupsOf(used: OpenApiDocument['tags']): OpenApiDocument['x-tagGroups'] {
  const found = groups.map(([name]) => ({ name, tags: [] as string[] }))
  const placed = tags.flatMap((tag) => [tag, ofExtensions(tag)]).map(({ name }) => name)
  const starts = groups.map(([, first]) => placed.indexOf(first))
  for (const { name } of used) {
    const place = placed.indexOf(name)
    found[place < 0 ? found.length - 1 : starts.findLastIndex((start) => start <= place)]?.tags.push(name)
  }
  return found.filter((group) => group.tags.length > 0)
}
