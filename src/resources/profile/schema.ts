import { z } from 'zod'
import { features, roles, tokenScopes, workspaceRoles } from '../../accounts/account.ts'
import { clearable, dataOf, requiredText, savedOf, shownId, text } from '../../api/schemas.ts'
import { User } from '../users/schema.ts'
import { billingModes } from '../workspaces/table.ts'
import { headLength, pictureType } from './picture-type.ts'

const maxKilobytes = 2048

const isPicture = async (file: File) => pictureType(await file.slice(0, headLength).bytes()) !== undefined

const picture = z
  .file()
  .min(1, { error: 'The profile_picture field must not be empty.', abort: true })
  .max(maxKilobytes * 1024, {
    error: `The profile_picture field must not be larger than ${maxKilobytes} kilobytes.`,
    abort: true,
  })
  .refine(isPicture, 'The profile_picture field must be an image of type: jpeg, png, jpg, gif.')

/** The profile's fields (contract: profile 5); the picture is a part of a multipart form, or null. */
export const UpdateProfileInput = z.object({
  name: requiredText(255),
  phone: clearable(text(20)),
  company: clearable(text(255)),
  bio: clearable(text(1000)),
  profile_picture: clearable(picture).meta({
    description: `A jpeg, png or gif of at most ${maxKilobytes} KB. Left out, the stored one stays; null removes it.`,
  }),
})

export const ProfileResponse = dataOf(User)
export const ProfileSaved = savedOf(User)

/** What a token may do (contract: profile 12). */
export const Access = z
  .object({
    user: z.object({ id: z.int(), name: z.string(), email: z.string() }),
    workspace: z.object({ id: z.int(), uuid: shownId, name: z.string(), billing: z.enum(billingModes) }),
    role: z.enum(roles),
    workspace_role: z.enum(workspaceRoles),
    can_write: z.boolean().meta({ description: 'False for a viewer, whose writes are 403.' }),
    features: z.array(z.enum(features)),
    scopes: z.array(z.enum(tokenScopes)).nullable().meta({ description: "The token's; null: whatever the user may." }),
    email_verified: z.boolean().meta({ description: 'While it is false, the agent endpoints are 409.' }),
    assistant_quota: z.int().nullable().meta({ description: 'How many assistants the user may own; null: unlimited.' }),
  })
  .meta({ id: 'Access', description: 'What the token of a request may do.' })

export const AccessResponse = dataOf(Access)
