import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import type { UsableModel } from '../../language-model/models.ts'
import { payerOf } from '../billing/payer.ts'
import { requirePrice } from '../billing/price.ts'
import type { Model } from './schema.ts'

async function isAvailable(ctx: AccountContext, model: UsableModel, billed: boolean): Promise<boolean> {
  if (!billed) return true
  try {
    await requirePrice(ctx.db, model.id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation_failed') return false
    throw error
  }
}

const record = async (ctx: AccountContext, model: UsableModel, billed: boolean): Promise<z.input<typeof Model>> => ({
  id: model.id,
  object: 'model',
  owned_by: model.ownedBy,
  label: model.label,
  available: await isAvailable(ctx, model, billed),
})

const isBilled = async (ctx: AccountContext) => (await payerOf(ctx, ctx.account.workspaceId)).currency !== undefined

/** The models of this installation, the default first (contract: models 1). */
export async function listModels(ctx: AccountContext) {
  const billed = await isBilled(ctx)
  return Promise.all(ctx.languageModels.list.map((model) => record(ctx, model, billed)))
}

/** One of them, bare as clients of the chat-completions format read it. Throws 404. */
export async function getModel(ctx: AccountContext, input: { model: string }) {
  const model = ctx.languageModels.find(input.model)
  if (!model) throw new ApiError('model_not_found')
  return record(ctx, model, await isBilled(ctx))
}

/**
 * The model that a request names, or undefined when it names none. Throws 422 on `model` for an unknown one, and for
 * one without a price where billing is on (contract: models 4).
 */
export async function namedModel(ctx: AccountContext, id: string | null | undefined): Promise<UsableModel | undefined> {
  if (id == null) return undefined
  const model = ctx.languageModels.find(id)
  if (!model) throw validationError({ model: ['The selected model does not exist.'] })
  if (await isBilled(ctx)) await requirePrice(ctx.db, model.id)
  return model
}

/** The model of a thread; one that this installation no longer has gives way to the default. */
export const threadModel = (ctx: AccountContext, id: string): UsableModel =>
  ctx.languageModels.find(id) ?? ctx.languageModels.default
