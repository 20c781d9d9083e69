import { z } from 'zod'
import { ownValue } from '../../json/object.ts'
import { defaultVoice } from '../mapping/defaults.ts'
import type { LiveAssistantBody, Settings } from '../mapping/live-assistant.ts'
import { AssistantUpdate } from './assistant.ts'
import { Voice } from './speech.ts'
import { Tool } from './tool.ts'

/** What the platform would refuse, by dotted path. */
export type Refusals = Record<string, string[]>

/** The path of an issue and what to say of it; texts of the platform's own schemas begin with a verb. */
function entriesOf(issue: z.core.$ZodIssue): [path: string, text: string][] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => (path ? `${path}.${key}` : key))
      .map((key) => [key, `The ${key} field is not one of those that the voice platform takes here.`])
  }
  if (issue.code === 'invalid_union' && 'discriminator' in issue && typeof issue.discriminator === 'string') {
    const named = path.endsWith(issue.discriminator) ? path : `${path}.${issue.discriminator}`
    return [[named, `The ${named} field is not one that the voice platform supports.`]]
  }
  return [[path, issue.message.startsWith('The ') ? issue.message : `The ${path} field ${issue.message}.`]]
}

/** Issues of the platform's schemas, by path. */
function refusalsOf(error: z.core.$ZodError): Refusals {
  const refusals: Refusals = {}
  for (const [path, text] of error.issues.flatMap(entriesOf)) {
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

const ToolRules = z.object({ definition: Tool })

/** What the platform's strict rules refuse of a tool's whole body, by `type` and below `definition`. */
export function refusedTool(definition: Settings): Refusals | undefined {
  const { error } = ToolRules.safeParse({ definition })
  if (!error) return undefined
  const { 'definition.type': type, ...refusals } = refusalsOf(error)
  return type ? { type: type.map((text) => text.replace('definition.type', 'type')) } : refusals
}
