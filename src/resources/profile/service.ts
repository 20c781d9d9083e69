import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Json } from '../../json/object.ts'
import { recordAudit } from '../audit/record.ts'
import { deleteNoted, noteDeletions } from '../deletions/deletions.ts'
import { type NewObject, storing, type Unrecorded } from '../deletions/storing.ts'
import { requireUser } from '../users/find.ts'
import { userRecord } from '../users/record.ts'
import { users } from '../users/table.ts'
import { newPicture } from './picture.ts'
import type { UpdateProfileInput } from './schema.ts'

type Input = z.output<typeof UpdateProfileInput>

/** The caller (contract: profile 2). */
export async function getProfile(ctx: AccountContext) {
  return userRecord(await requireUser(ctx.db, ctx.account.userId), ctx.settings)
}

/**
 * What is left of a refused profile whose picture is the address that a read shows of it, sent back as it was read
 * (contract: profile 6). Undefined for any other.
 */
export async function withoutShownPicture(ctx: AccountContext, input: Json): Promise<Json | undefined> {
  const { profile_picture: sent, ...rest } = input
  if (typeof sent !== 'string') return undefined
  const { profile_picture: shown } = await getProfile(ctx)
  return sent === shown ? rest : undefined
}

const failed =
  (detail: string) =>
  (cause: unknown): never => {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('profile_update_failed', { detail, cause })
  }

/**
 * Changes the caller's profile (contract: profile 3): what is left out stays, null clears. A new picture is stored
 * before the record names it, and the old one is removed after, so that the record always names one that is there.
 * Throws 500 'Failed to update profile: <detail>'.
 */
export async function updateProfile(ctx: AccountContext, input: Input) {
  const { profile_picture: picture } = input
  const unsaved = failed('the changes could not be saved.')
  const unstored = failed('the picture could not be stored.')
  const saving = picture
    ? saveWithPicture(ctx, input, await newPicture(ctx, picture).catch(unstored), unstored)
    : save(ctx, input, picture === null ? null : undefined)
  const saved = await saving.catch(unsaved)
  await deleteNoted(ctx, saved.replaced)
  await ctx.invalidateAccounts()
  return saved.data
}

function saveWithPicture(ctx: AccountContext, input: Input, picture: NewObject, unstored: (cause: unknown) => never) {
  return storing(ctx, picture, (unrecorded) => save(ctx, input, picture.key, unrecorded), unstored)
}

/** An empty text of a form is no text. */
const given = (text: string | null | undefined) => (text === '' ? null : text)

/** The changed record and the keys of pictures that it does not name any more, which are noted to be deleted. */
function save(ctx: AccountContext, input: Input, profilePicture: string | null | undefined, unrecorded?: Unrecorded) {
  return ctx.db.transaction(async (tx) => {
    const own = eq(users.id, ctx.account.userId)
    const [stored] = await tx.select().from(users).where(own).for('no key update')
    await requireMatch(ctx, {}, tx)
    const [row] = await tx
      .update(users)
      .set({
        name: input.name,
        phone: given(input.phone),
        company: given(input.company),
        bio: given(input.bio),
        profilePicture,
        updatedAt: ctx.clock.now(),
      })
      .where(own)
      .returning()
    if (!row || !stored) throw new ApiError('user_not_found')
    const [before, after] = [userRecord(stored, ctx.settings), userRecord(row, ctx.settings)]
    await recordAudit(tx, ctx, { action: 'updated', subject: { kind: 'user', id: row.id }, before, after })
    await unrecorded?.settle(tx)
    const replaced = profilePicture === undefined || stored.profilePicture === null ? [] : [stored.profilePicture]
    await noteDeletions(tx, replaced)
    return { data: after, replaced }
  })
}
