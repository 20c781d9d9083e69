import type { Usage } from './allowance.ts'
import { estimateOf, leastOf, roomForThread } from './estimate.ts'
import type { ResponseFormat } from './formats.ts'
import { type ThreadMessage, trimHistory } from './history.ts'
import type { UsableModel } from './models.ts'
import type { Sources } from './prompt.ts'
import type { OpenTools } from './toolbox.ts'

/** How many tokens prompts and responses may have. */
export interface Bounds {
  contextTokens: number
  outputTokens: number
}

/**
 * What a model takes: its own bounds, else the installation's. A response has no more than half of a prompt's tokens
 * then, as many servers count both together.
 */
export const boundsOf = ({ contextTokens, outputTokens }: UsableModel, installation: Bounds): Bounds => ({
  contextTokens: contextTokens ?? installation.contextTokens,
  outputTokens:
    outputTokens ?? Math.min(installation.outputTokens, Math.floor((contextTokens ?? Number.POSITIVE_INFINITY) / 2)),
})

const noTools: OpenTools = { tools: {}, nameOf: (name) => name, close: async () => {} }

/**
 * The tools that a model is offered: none where its server takes none. They are opened only for one that takes some.
 */
export const toolsFor = async (
  { callsTools }: UsableModel,
  open: () => Promise<OpenTools | undefined>,
): Promise<OpenTools> => (callsTools === false ? undefined : await open()) ?? noTools

/** A turn as its caller wants it. */
export interface Wanted {
  model: UsableModel
  /** Without what system turns of the thread say. */
  sources: Sources
  /** Ends with the newest user message. */
  thread: readonly ThreadMessage[]
  tools?: OpenTools
  format?: ResponseFormat | undefined
  /** Of a response; what the model's are at most unless given. */
  maxOutputTokens?: number | undefined
}

/** A turn within what its model takes. */
export interface Plan {
  turn: Omit<Wanted, 'maxOutputTokens'> & { maxOutputTokens: number; contextTokens: number }
  /** How much of the prompt the thread may be. */
  threadTokens: number
  /** What is to be set aside for it, and the least that it can do with where that cannot be had. */
  cost: { estimate: Usage; least: Usage | undefined }
}

/** Fits a turn into what its model takes: as much of the thread as there is room for, and no longer a response. */
export async function planTurn(wanted: Wanted, installation: Bounds): Promise<Plan> {
  const { model, sources, thread, tools, format, maxOutputTokens = Number.POSITIVE_INFINITY } = wanted
  const { contextTokens, outputTokens } = boundsOf(model, installation)
  const threadTokens = await roomForThread({ sources, format, tools: tools?.tools, contextTokens })
  const kept = await trimHistory(thread, threadTokens)
  const preamble = kept.flatMap(({ role, content }) => (role === 'system' ? [content] : []))
  const turn = {
    ...wanted,
    sources: { ...sources, preamble },
    thread: kept.filter(({ role }) => role !== 'system'),
    maxOutputTokens: Math.min(maxOutputTokens, outputTokens),
    contextTokens,
  }
  const planned = { ...turn, tools: tools?.tools }
  return { turn, threadTokens, cost: { estimate: await estimateOf(planned), least: await leastOf(planned) } }
}
