import { asc, eq, gt, inArray } from 'drizzle-orm'
import type { ErrorName } from '../../api/errors/api-error.ts'
import { liveWrite } from '../../api/errors/live-write.ts'
import { violationsAs } from '../../api/errors/not-existing.ts'
import type { Transaction } from '../../db/client.ts'
import { uuidsIn } from '../../runtime/uuid.ts'
import type { PlatformClient } from '../../voice-platform/client.ts'
import { isMarked, markedMetadata } from '../../voice-platform/external-ref.ts'
import { assistantDefaults } from '../../voice-platform/mapping/defaults.ts'
import type { LiveAssistantBody } from '../../voice-platform/mapping/live-assistant.ts'
import type { RemoteKind } from '../../voice-platform/mirror/remote-kind.ts'
import type { VersionSource } from '../history/table.ts'
import { detachTarget } from '../phone-numbers/routing/routing.ts'
import { rebindObject } from '../references/follow.ts'
import { keepAttached } from '../tools/locked.ts'
import { type AdopterContext, assistantAdopter } from './outside/adopter.ts'
import { assistants } from './table.ts'

/**
 * Deletes an assistant, in one transaction with taking it off its numbers, which changes them `at` that time. Returns
 * those.
 */
export async function removeAssistant(tx: Transaction, ref: string, at: Date): Promise<string[]> {
  const [row] = await tx.select({ id: assistants.id }).from(assistants).where(eq(assistants.assistantId, ref))
  if (!row) return []
  const numbers = await detachTarget(tx, { assistantId: row.id }, at)
  await tx.delete(assistants).where(eq(assistants.id, row.id))
  return numbers
}

/** Gives an assistant another remote object: whatever names it follows. */
async function rebindAssistant(tx: Transaction, ref: string, liveId: string): Promise<void> {
  const mine = eq(assistants.assistantId, ref)
  const { voiceAssistantId, workspaceId } = assistants
  const [known] = await tx.select({ from: voiceAssistantId, workspaceId }).from(assistants).where(mine)
  if (!known) throw new Error('The assistant of a new remote object is gone')
  const save = () => tx.update(assistants).set({ voiceAssistantId: liveId }).where(mine)
  await rebindObject(tx, { ...known, to: liveId, save })
}

/** The fields that the assistants' constraints speak of: what they name can go while the live platform is written. */
const constraints = {
  assistants_user_id_users_id_fk: 'user_id',
  assistants_reseller_id_resellers_id_fk: 'reseller_id',
  assistants_template_id_prompt_templates_id_fk: 'template_id',
  assistants_personality_id_personalities_id_fk: 'personality_id',
  assistants_base_config_id_base_configs_id_fk: 'base_config_id',
  assistants_industry_template_id_industry_templates_id_fk: 'industry_template_id',
  assistants_layer2_key_layer2_presets_key_fk: 'layer2_key',
}

/** As the builder names them. */
const builderConstraints = { ...constraints, assistants_template_id_prompt_templates_id_fk: 'prompt_template_id' }

/**
 * A failed live write of an assistant as the operation's own error, or as the 422 of what went meanwhile, by the field
 * of the editor that named it.
 */
export const assistantWrite = <T>(failed: ErrorName, write: Promise<T>, source?: VersionSource): Promise<T> =>
  liveWrite({ busy: 'assistant_busy', failed }, violationsAs(source === 'v2' ? builderConstraints : constraints, write))

interface RemoteOptions extends AdopterContext {
  platform: PlatformClient
}

/** An assistant and its remote object. */
export function assistantRemote({ platform, clock, settings }: RemoteOptions): RemoteKind<LiveAssistantBody> {
  const { assistants: live } = platform
  return {
    kind: 'assistant',
    agreement: { defaults: assistantDefaults, keep: keepAttached },
    live: {
      create: live.create,
      update: live.update,
      get: live.get,
      delete: live.delete,
      pages: (updatedAtGe, options) => live.pages({ updatedAtGe }, options),
      find: live.listByExternalRef,
      mark: {
        put: (body, creation) => ({ ...body, metadata: markedMetadata(body.metadata, creation) }),
        isOn: isMarked,
      },
    },
    local: {
      asSent: true,
      async read(db, ref) {
        const [row] = await db
          .select({ liveId: assistants.voiceAssistantId, body: assistants.live })
          .from(assistants)
          .where(eq(assistants.assistantId, ref))
        return row && { liveId: row.liveId, body: row.body }
      },
      async recorded(db, which) {
        const rows = db
          .select({
            ref: assistants.assistantId,
            liveId: assistants.voiceAssistantId,
            name: assistants.name,
            body: assistants.live,
          })
          .from(assistants)
        if ('liveIds' in which) return rows.where(inArray(assistants.voiceAssistantId, uuidsIn(which.liveIds)))
        const after = which.after === '' ? undefined : gt(assistants.assistantId, which.after)
        return rows.where(after).orderBy(asc(assistants.assistantId)).limit(which.limit)
      },
      async remove(tx, ref) {
        await removeAssistant(tx, ref, clock.now())
      },
      adopt: assistantAdopter({ clock, settings }),
      rebind: rebindAssistant,
    },
  }
}
