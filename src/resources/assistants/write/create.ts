import type { z } from 'zod'
import { authorise, requireFeatureWrite } from '../../../api/auth/gate.ts'
import type { AccountContext } from '../../../api/context.ts'
import type { Executor } from '../../../db/client.ts'
import { preparedInsertAs } from '../../../db/prepared/statement.ts'
import { together } from '../../../db/together.ts'
import { recordFirstVersion } from '../../history/record.ts'
import type { VersionSource } from '../../history/table.ts'
import { attachNumber, selectedNumber, sendAttachment } from '../../phone-numbers/purchase/selected.ts'
import { lockReferences, requireReferences } from '../../references/lock.ts'
import { callerAsOwner, namedOwner, type Owner } from '../../users/owner.ts'
import { configurationOf } from '../configuration.ts'
import { type AssistantRowData, findAssistant, recordColumns } from '../read/find.ts'
import { assistantRecord, requireSaved, savedRecords } from '../read/record.ts'
import { assistantRemote, assistantWrite } from '../remote.ts'
import { renderDraft } from '../rendering/render.ts'
import { assistants } from '../table.ts'
import { type Draft, draftOf, emptyDraft } from './draft.ts'
import { namedBy } from './named.ts'
import { newPublicKey } from './public-key.ts'
import { checkQuota, lockQuota } from './quota.ts'
import type { CreateInput } from './schema.ts'

const insertAssistant = preparedInsertAs<typeof assistants, AssistantRowData>(
  assistants,
  recordColumns,
  (executor, values) => savedRecords(executor, executor.insert(assistants).values(values).returning()),
)

/** An assistant that is about to be made, by whichever editor. */
export interface NewAssistant {
  draft: Draft
  owner: Owner
  /** The editor, as the history names it. */
  source: VersionSource
  /** A phone number to buy and attach, E.164. */
  number?: string
}

/**
 * Creates an assistant from its draft, live platform first, with the first entry of its history. The same
 * Idempotency-Key makes the same assistant.
 * Throws 422 for references that do not exist, 403 for viewers and at the quota, 500 when the live write fails and when
 * the phone number cannot be bought (contract: assistants 35, assistants 36).
 */
export async function createFromDraft(ctx: AccountContext, make: NewAssistant): Promise<AssistantRowData> {
  const { draft, owner, source } = make
  const assistantId = ctx.idempotencyId ?? crypto.randomUUID()
  const { live, sources, templateTexts } = await renderDraft(ctx, assistantId, draft)
  const named = namedBy({ ...draft, live }, sources)
  await requireReferences(ctx.db, owner.workspaceId, named.layered, {})
  authorise(ctx)
  const find = () => findAssistant(ctx.db, ctx.scope, assistantId)
  const known = ctx.idempotencyId && (await find())
  if (known) return known
  await checkQuota(ctx.db, owner)
  const number = make.number ? await selectedNumber(ctx, owner, make.number, assistantId) : undefined

  const made = { ...draft, live, templateTexts, widgetEmbedConfig: null }
  const now = ctx.clock.now()
  const inserts = (executor: Executor, voiceAssistantId: string) => {
    const inserted = insertAssistant(executor, {
      ...made,
      assistantId,
      voiceAssistantId,
      userId: owner.userId,
      createdBy: ctx.account.userId,
      resellerId: owner.resellerId,
      workspaceId: owner.workspaceId,
      publicKey: newPublicKey(),
      createdAt: now,
      updatedAt: now,
    })
    const entry = { workspaceId: owner.workspaceId, source, after: configurationOf(made), sources }
    return [inserted, recordFirstVersion(executor, ctx, assistantId, entry)] as const
  }
  const lockable = [...named.lockable, ...named.movable]
  const onlyInserts = owner.assistantQuota === null && !number && lockable.length === 0
  let sent: Awaited<ReturnType<typeof sendAttachment>> | undefined
  const create = ctx.mirror.create(assistantRemote(ctx), assistantId, {
    // The same request may have been under way in another process, and be done by now.
    ...(ctx.idempotencyId && { find }),
    body: live,
    isNew: true,
    ...(number && {
      async also({ id }: { id: string }) {
        sent = await sendAttachment(ctx, number, id)
      },
    }),
    ...(onlyInserts && {
      inserts: {
        statements: (executor: Executor, { id }: { id: string }) => inserts(executor, id),
        async made() {
          const result = await find()
          return result && { result }
        },
      },
    }),
    async save(tx, remote) {
      await lockQuota(tx, owner)
      await lockReferences(tx, owner.workspaceId, lockable, {})
      const [row] = await together(...inserts(tx, remote.id))
      if (number) await attachNumber(tx, ctx, number, row, sent)
      return row
    },
  })
  try {
    const created = await assistantWrite('assistant_create_failed', create, source)
    return number ? await requireSaved(ctx.db, assistantId) : created
  } finally {
    // Where the assistant was not saved after all, the platform is told that its number leads nowhere.
    if (number) await ctx.phoneNumbers.syncAll([number])
  }
}

/**
 * Creates an assistant, live platform first (contract: assistants 8).
 * Throws 422 for references that do not exist, 403 for viewers, at the quota and for a number where the caller may not
 * buy one, 500 when the live write fails and when the selected phone number cannot be bought.
 */
export async function createAssistant(ctx: AccountContext, input: z.output<typeof CreateInput>) {
  if (input.selected_phone_number) requireFeatureWrite(ctx, 'phone_numbers')
  const owner = (await namedOwner(ctx, input.user_id)) ?? callerAsOwner(ctx)
  const draft = await draftOf(ctx, emptyDraft, input, owner.workspaceId)
  const number = input.selected_phone_number ?? undefined
  const created = await createFromDraft(ctx, { draft, owner, source: 'regular', number })
  return assistantRecord(created)
}
