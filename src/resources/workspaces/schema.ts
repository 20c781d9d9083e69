import { z } from 'zod'
import { dataOf, integerId, isoTime, pageOf, pageQuery, requiredText, shownId, text } from '../../api/schemas.ts'
import { billingModes } from './table.ts'

/** A workspace (contract: accounts 2). */
export const Workspace = z
  .object({
    id: z.int().meta({ description: 'Carried by assistants and squads.' }),
    uuid: shownId.meta({ description: 'Carried by phone numbers.' }),
    name: z.string(),
    reseller_id: z.string(),
    owner_id: z.int().nullable().meta({ description: 'The user who pays.' }),
    billing: z.enum(billingModes),
    webhook_credentials: z.array(z.string()).meta({
      description: 'Ids of credentials that its `server.credentialId` may name.',
    }),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Workspace', description: 'A workspace has an owner and members.' })

const name = requiredText(255)
const path = { id: integerId }

export const WorkspacePath = z.object(path)

export const WorkspaceQuery = pageQuery.extend({
  search: text(255).nullable().optional().meta({ description: 'Part of the name, in any case.' }),
  reseller_id: integerId.optional().meta({ description: "Only this reseller's workspaces." }),
})

export const CreateWorkspaceInput = z.object({
  name,
  reseller_id: integerId.optional().meta({ description: "The caller's own reseller when left out." }),
})

export const UpdateWorkspaceInput = z.object({
  ...path,
  name: name.optional(),
  billing: z.enum(billingModes).optional().meta({ description: 'What its balance is kept in; `none`: not billed.' }),
  owner_id: integerId.optional().meta({ description: 'A user of this workspace.' }),
  webhook_credentials: z
    .array(requiredText(255))
    .max(100)
    .optional()
    .meta({
      description:
        'Replaces the credentials that it is granted: ids of `WEBHOOK_CREDENTIALS`, or of the live platform. One in use by a number stays.',
      examples: [['shop']],
    }),
})

export const WorkspaceResponse = dataOf(Workspace)
export const WorkspacePage = pageOf(Workspace)
