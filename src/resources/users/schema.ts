import { z } from 'zod'
import { features, roles, userStatuses, workspaceRoles } from '../../accounts/account.ts'
import {
  clearable,
  dataOf,
  integerId,
  isoTime,
  pageOf,
  pageQuery,
  requiredError,
  requiredText,
  text,
} from '../../api/schemas.ts'

const nullableText = z.string().nullable()
const nullableTime = isoTime.nullable()

/** The user record (contract: profile 1). */
export const User = z
  .object({
    id: z.int(),
    reseller_id: z.string(),
    reseller_current_ui_version: z.string().meta({ examples: ['1'] }),
    reseller_ui_intro_seen_at: nullableTime,
    name: z.string(),
    email: z.string(),
    identity_id: nullableText.meta({ examples: [null] }),
    social_id: nullableText.meta({ examples: [null] }),
    role: z.enum(roles).meta({ examples: ['user'] }),
    phone: nullableText.meta({ examples: ['+14155550100'] }),
    company: nullableText,
    bio: nullableText,
    profile_picture: nullableText.meta({
      description: 'Public URL.',
      examples: ['https://voice.example.com/files/pictures/3f0c8a52.png'],
    }),
    status: z.enum(userStatuses),
    email_verified_at: nullableTime,
    created_at: isoTime,
    updated_at: isoTime,
    deleted_at: nullableTime.meta({ examples: [null] }),
    is_reseller_admin: z.boolean().meta({ examples: [false] }),
    is_reseller: z.boolean().meta({ examples: [false] }),
  })
  .meta({ id: 'User' })

/** The user record with what operators decide about a user (contract: accounts 20). */
export const OperatedUser = User.extend({
  workspace_id: z.int(),
  workspace_role: z.enum(workspaceRoles),
  features: z.array(z.enum(features)),
  assistant_quota: z.int().nullable().meta({ description: 'How many assistants the user may own; null: unlimited.' }),
}).meta({ id: 'OperatedUser', description: 'The user record with what operators decide about a user.' })

export type OperatedUserRecord = z.input<typeof OperatedUser>

const assignable = {
  role: z.enum(roles).optional().meta({ description: '`admin`: operator; `reseller_admin`: its reseller; `user`.' }),
  workspace_id: integerId.optional(),
  workspace_role: z.enum(workspaceRoles).optional(),
  reseller_id: integerId.optional().meta({ description: 'That of the workspace, where one is named.' }),
  features: z.array(z.enum(features)).max(20).optional(),
  email_verified: z.boolean().optional(),
  assistant_quota: clearable(z.int().min(0).max(2_147_483_647)).meta({ description: 'null: unlimited.' }),
}

const path = { id: integerId }
const name = requiredText(255)
const email = z.email({ error: requiredError }).max(255)

export const UserPath = z.object(path)

export const UserQuery = pageQuery.extend({
  search: text(255).nullable().optional().meta({ description: 'Part of the name or e-mail address, in any case.' }),
  workspace_id: integerId.optional().meta({ description: "Only this workspace's users." }),
  reseller_id: integerId.optional().meta({ description: "Only this reseller's users." }),
})

export const CreateUserInput = z.object({ name, email, ...assignable })

export const UpdateUserInput = z.object({
  ...path,
  name: name.optional(),
  email: email.optional(),
  status: z.enum(userStatuses).optional().meta({ description: '`suspended`: its tokens give 401.' }),
  ...assignable,
})

export const UserResponse = dataOf(OperatedUser)
export const UserPage = pageOf(OperatedUser)
