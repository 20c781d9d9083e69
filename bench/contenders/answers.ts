import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { configurationOf } from '../../src/resources/assistants/configuration.ts'
import type { AssistantRowData } from '../../src/resources/assistants/read/find.ts'
import { assistantRecord } from '../../src/resources/assistants/read/record.ts'
import { liveBody } from '../../src/resources/assistants/rendering/render.ts'
import { applyBody, type Draft, emptyDraft } from '../../src/resources/assistants/write/draft.ts'
import type { CreateInput } from '../../src/resources/assistants/write/schema.ts'
import { createVault } from '../../src/secrets/vault.ts'
import type { LiveAssistantBody } from '../../src/voice-platform/mapping/live-assistant.ts'
import { basesContext } from '../../src/voice-platform/mirror/agreement/bases.ts'
import type { Caller } from './callers.ts'

type Json = Record<string, unknown>

const only = (from: Json, keys: string[]) => {
  const kept: Json = {}
  for (const key of keys) if (from[key] !== undefined) kept[key] = from[key]
  return kept
}

const voiceKeys = ['voiceId', 'speed']
const transcriberKeys = ['language', 'confidenceThreshold', 'formatTurns']
const modelKeys = ['messages', 'maxTokens', 'toolIds', 'functionCall', 'functionCallBehavior']

/** The record of a row with the provider selections taken out by hand, as the output schema of the server does. */
export function publicRecord(row: AssistantRowData) {
  const record = assistantRecord(row)
  const { coreData } = record
  return {
    ...record,
    voice: only(record.voice, voiceKeys),
    transcriber: only(record.transcriber, transcriberKeys),
    model: only(record.model, modelKeys),
    coreData: {
      ...coreData,
      voice: only(coreData.voice, voiceKeys),
      transcriber: only(coreData.transcriber, transcriberKeys),
    },
  }
}

/** The first page of fifteen. */
export const pageAnswer = (rows: AssistantRowData[], total: number) => ({
  success: true,
  data: rows.map(publicRecord),
  pagination: {
    current_page: 1,
    last_page: Math.max(1, Math.ceil(total / 15)),
    per_page: 15,
    total,
    from: rows.length > 0 ? 1 : null,
    to: rows.length > 0 ? rows.length : null,
  },
})

/** What a create saves, made from an unchecked body by the server's own rules. */
export interface NewAssistant extends Draft {
  assistantId: string
  live: LiveAssistantBody
  publicKey: string
  now: Date
}

export function newAssistant(body: z.output<typeof CreateInput>): NewAssistant {
  const assistantId = randomUUID()
  const draft = applyBody(emptyDraft, body)
  const live = liveBody(assistantId, draft, {}, { backgroundSoundBaseUrl: undefined })
  return { ...draft, assistantId, live, publicKey: `pk_${randomBytes(16).toString('hex')}`, now: new Date() }
}

/** The first entry of an assistant's history. */
export const firstVersion = (id: number, made: NewAssistant, caller: Caller) => ({
  assistantId: id,
  action: 'created' as const,
  source: 'regular' as const,
  actorId: caller.userId,
  actorName: caller.name,
  changes: [],
  summary: `Created ${made.name}`,
  configuration: {
    ...configurationOf({ ...made, industryTemplateId: null, layer2Key: null, widgetEmbedConfig: null }),
    sources: {},
  },
  restoredFrom: null,
  createdAt: made.now,
})

const vault = createVault({ current: Buffer.alloc(32) })

/**
 * What both sides agreed on with a create, sealed: what was sent, and what the platform made of it where that differs.
 */
export function firstBase({ assistantId, live: sent }: NewAssistant, live: { id: string }) {
  const stored = new Map<string, unknown>(Object.entries(live))
  const same = Object.entries(sent).every(([field, value]) => isDeepStrictEqual(stored.get(field), value))
  const bodies = JSON.stringify({ composed: sent, ...(!same && { seen: live }) })
  return {
    kind: 'assistant',
    ref: assistantId,
    liveId: live.id,
    revision: randomUUID(),
    bodies: vault.seal(bodies, basesContext),
  }
}
