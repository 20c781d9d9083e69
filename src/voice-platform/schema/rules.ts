import { z } from 'zod'
import { ownValue } from '../../json/object.ts'
import { defaultVoice } from '../mapping/defaults.ts'
import type { LiveAssistantBody, Settings } from '../mapping/live-assistant.ts'
import { partsIn } from '../references/parts.ts'
import { AssistantUpdate } from './assistant.ts'
import { AnyServer } from './plans.ts'
import { Voice } from './speech.ts'
import { Tool } from './tool.ts'
import { headers, toolHeaders } from './validation.ts'

/** What the platform would refuse, by dotted path. */
export type Refusals = Record<string, string[]>

/**
 * What an issue says of its field. Texts of the platform's own schemas begin with a verb, others with the path that was
 * checked.
 */
function textOf({ message, path }: z.core.$ZodIssue, at: string): string {
  const checked = `The ${path.join('.') || 'body'} field `
  if (message.startsWith('The ') && !message.startsWith(checked)) return message
  return `The ${at} field ${message.startsWith(checked) ? message.slice(checked.length) : `${message}.`}`
}

/** The path of an issue, below the one that what was checked stands at, and what to say of it. */
function entriesOf(issue: z.core.$ZodIssue, at: readonly string[]): [path: string, text: string][] {
  const path = [...at, ...issue.path].join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => (path ? `${path}.${key}` : key))
      .map((key) => [key, `The ${key} field is not one of those that the voice platform takes here.`])
  }
  if (issue.code === 'invalid_union' && 'discriminator' in issue && typeof issue.discriminator === 'string') {
    const named = path.endsWith(issue.discriminator) ? path : `${path}.${issue.discriminator}`
    return [[named, `The ${named} field is not one that the voice platform supports.`]]
  }
  return [[path, textOf(issue, path)]]
}

/** Issues of the platform's schemas, by path below `at`. */
function refusalsOf(error: z.core.$ZodError, ...at: string[]): Refusals {
  const refusals: Refusals = {}
  for (const [path, text] of error.issues.flatMap((issue) => entriesOf(issue, at))) {
    refusals[path] = [...(ownValue(refusals, path) ?? []), text]
  }
  return refusals
}

/** What the platform's strict rules refuse of an assistant's whole body, as far as they are known without asking it. */
export function refusedByPlatform(body: LiveAssistantBody): Refusals {
  const { error } = AssistantUpdate.safeParse(body)
  return error ? refusalsOf(error) : {}
}

const VoiceRules = z.object({ voice: Voice })

/**
 * What the platform's strict rules refuse of a voice object, its paths below `voice`. One that names no provider is
 * taken as the default one's.
 */
export function refusedVoice(voice: Settings): Refusals | undefined {
  const { error } = VoiceRules.safeParse({
    voice: voice.provider === undefined ? { ...defaultVoice, ...voice } : voice,
  })
  return error && refusalsOf(error)
}

/** What the platform's strict rules refuse of a tool's whole body, by `type` and below `definition`. */
export function refusedTool(definition: Settings): Refusals | undefined {
  const { error } = Tool.safeParse(definition)
  if (!error) return undefined
  const { 'definition.type': type, ...refusals } = refusalsOf(error, 'definition')
  return type ? { type: type.map((text) => text.replace('definition.type', 'type')) } : refusals
}

const partRules = { server: AnyServer, tool: Tool, headers, toolHeaders }

/**
 * What of a body could never work on the platform, wherever it stands: a tool that it would refuse, and a server or
 * headers that nothing can be sent with. All else is the platform's to judge.
 * @param isElse says of a part that it is something else there
 */
export function refusedParts(
  body: unknown,
  isElse: (path: string, value: unknown) => boolean = () => false,
): Refusals | undefined {
  const refusals: Refusals = {}
  for (const { kind, path, value } of partsIn(body)) {
    const error = isElse(path, value) ? undefined : partRules[kind].safeParse(value).error
    if (error) Object.assign(refusals, refusalsOf(error, path))
  }
  return Object.keys(refusals).length > 0 ? refusals : undefined
}
