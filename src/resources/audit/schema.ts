import { z } from 'zod'
import { integerId, isoTime, pageOf, pageQuery, text } from '../../api/schemas.ts'
import { auditActions } from './table.ts'

const AuditEntry = z
  .object({
    id: integerId,
    actor: z.object({ id: integerId, name: z.string(), email: z.string() }),
    token_id: z.int(),
    action: z.enum(auditActions),
    subject: z.object({ kind: z.string(), id: z.string() }),
    changes: z.array(z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })),
    request_id: z.string(),
    created_at: isoTime,
  })
  .meta({
    id: 'AuditEntry',
    description: 'A change of an account, token, credit or catalogue entry. Secrets are masked.',
  })

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: (issue) => `The ${issue.path?.map(String).join('.')} field must be a date, or a date and time.`,
})

export const AuditQuery = pageQuery.extend({
  actor_id: integerId.optional().meta({ description: 'The user who made the change.' }),
  subject_kind: text(64)
    .optional()
    .meta({ description: '`user`, `token`, `workspace`, `reseller`, or a kind of the catalogue.' }),
  subject_id: text(64).optional(),
  action: z.enum(auditActions).optional(),
  from: moment.optional().meta({ description: 'From this date or time on.' }),
  to: moment.optional().meta({ description: 'Up to this time, or to the end of this date (UTC).' }),
})

export const AuditPage = pageOf(AuditEntry)
