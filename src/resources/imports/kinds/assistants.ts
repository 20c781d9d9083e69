import { ApiError } from '../../../api/errors/api-error.ts'
import { preparedInsert } from '../../../db/prepared/statement.ts'
import { isObject, type Json } from '../../../json/object.ts'
import { configFromPlatform } from '../../../voice-platform/mapping/from-platform.ts'
import { configurationOf } from '../../assistants/configuration.ts'
import { showable } from '../../assistants/outside/showable.ts'
import { assistantRemote } from '../../assistants/remote.ts'
import { liveBody } from '../../assistants/rendering/render.ts'
import { loadSources } from '../../assistants/rendering/sources.ts'
import type { AssistantConfig, StoredMetadata } from '../../assistants/schema.ts'
import { assistants } from '../../assistants/table.ts'
import { type Draft, emptyDraft } from '../../assistants/write/draft.ts'
import { newPublicKey } from '../../assistants/write/public-key.ts'
import { recordFirstVersion } from '../../history/record.ts'
import {
  fieldsOf,
  heldOf,
  type ImportContext,
  type Importer,
  type ImportOwner,
  ImportRefusal,
  leaveStrangers,
} from '../importer.ts'

const insertAssistant = preparedInsert(assistants)
const object = (value: unknown): Json => (isObject(value) ? value : {})

/** The record of an object, and the whole body that it would make by itself. */
async function composed(
  ctx: ImportContext,
  live: Json,
  { liveId, ref, owner }: { liveId: string; ref: string; owner: ImportOwner },
) {
  const { external_ref: _mark, variable_values: _local, ...metadata } = object(live.metadata)
  const { url } = object(live.server)
  const config = structuredClone(configFromPlatform(live))
  await leaveStrangers(ctx, owner, config)
  const draft: Draft = {
    ...emptyDraft,
    name: typeof live.name === 'string' && live.name !== '' ? live.name : `Assistant ${liveId.slice(0, 8)}`,
    webhookUrl: typeof url === 'string' ? url : null,
    metadata: metadata as StoredMetadata,
    config: config as AssistantConfig,
  }
  try {
    const sources = await loadSources(ctx.db, draft)
    const shown = showable(draft, liveBody(ref, draft, sources, ctx.settings))
    return { draft: shown, sources, body: liveBody(ref, shown, sources, ctx.settings) }
  } catch (error) {
    if (error instanceof ApiError) throw new ImportRefusal(error.message)
    throw error
  }
}

const marked = (live: object, ref: string): Json => ({ ...object(fieldsOf(live).metadata), external_ref: ref })

/** Assistants: what the record knows becomes its own, the rest is kept beside it. */
export const assistantImporter: Importer = {
  kind: 'assistant',
  remote: assistantRemote,
  mark: (live, ref) => ({ metadata: marked(live, ref) }),
  baseRef: (_live, ref) => ref,

  async prepare(ctx, live, ref, owner: ImportOwner) {
    const { draft, sources, body } = await composed(ctx, fieldsOf(live), { liveId: live.id, ref, owner })
    const sent = { ...heldOf(body, live), metadata: marked(live, ref) }
    return {
      composed: body,
      sent,
      async save(tx) {
        const now = ctx.clock.now()
        const made = { ...draft, live: { ...body, ...sent }, widgetEmbedConfig: null }
        await insertAssistant(tx, {
          ...made,
          ...owner,
          assistantId: ref,
          voiceAssistantId: live.id,
          createdBy: ctx.account.userId,
          publicKey: newPublicKey(),
          createdAt: now,
          updatedAt: now,
        })
        const entry = {
          workspaceId: owner.workspaceId,
          source: 'import' as const,
          after: configurationOf(made),
          sources,
        }
        await recordFirstVersion(tx, ctx, ref, entry)
        return ref
      },
    }
  },
}
