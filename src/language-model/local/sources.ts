import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import type { Sources } from '../prompt.ts'
import type { OpenTools } from '../toolbox.ts'

/** The id of the local model, and the key under which its sources travel. Other providers ignore that key. */
export const localModelId = 'local-extractive'

const Given = z.object({
  agentName: z.string(),
  description: z.string().nullable(),
  instructions: z.string().nullable(),
  memory: z.string().nullable(),
  passages: z.array(
    z.object({ file: z.string(), heading: z.string().nullable(), text: z.string(), score: z.number() }),
  ),
  preamble: z.array(z.string()),
  onPhone: z.boolean().optional(),
  toolNames: z.record(z.string(), z.string()).optional(),
  workspaceId: z.number(),
})

const withoutTime = ({ now: _now, ...sources }: Sources) => sources

const ownNames = ({ tools, nameOf }: OpenTools) =>
  Object.fromEntries(Object.keys(tools).map((name) => [name, nameOf(name)] as const))

/** What a turn draws on, for the local model, which does not have to find it in the prompt again. */
export const sourcesFor = (sources: Sources, tools?: OpenTools): SharedV4ProviderOptions => ({
  [localModelId]: {
    ...withoutTime(sources),
    ...(tools && { toolNames: ownNames(tools) }),
    passages: sources.passages.map(({ file, heading, text, score }) => ({ file, heading, text, score })),
    preamble: [...sources.preamble],
  },
})

/** The sources of a call, or undefined when it came without. */
export const sourcesIn = (options: SharedV4ProviderOptions | undefined): Sources | undefined =>
  Given.safeParse(options?.[localModelId]).data
