import { z } from 'zod'
import { calendarDay, integerId, isoTime, pageOf, pageQuery, text, timeWithOffset } from '../../api/schemas.ts'
import { auditActions } from './table.ts'

const AuditEntry = z
  .object({
    id: z.int(),
    actor: z
      .object({ id: z.int(), name: z.string(), email: z.string() })
      .meta({ description: 'Its id is 0 for what was done on the voice platform itself.' }),
    token_id: z.int().meta({ description: '0 where no token of this service was used.' }),
    action: z.enum(auditActions),
    subject: z.object({ kind: z.string(), id: z.string() }),
    changes: z.array(z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })),
    request_id: z.string(),
    created_at: isoTime,
  })
  .meta({
    id: 'AuditEntry',
    description:
      'A change of an account, token, credit or catalogue entry, or one that was made on the voice platform itself. Secrets are masked.',
  })

const dayOrTime = z.union([calendarDay, timeWithOffset], {
  error: (issue) => `The ${issue.path?.map(String).join('.')} field must be a date, or a date and time.`,
})

export const AuditQuery = pageQuery.extend({
  actor_id: integerId.optional().meta({ description: 'The user who made the change.' }),
  subject_kind: text(64).optional().meta({
    description:
      '`user`, `token`, `workspace`, `reseller`, a kind of the catalogue, or `assistant`, `squad`, `phone_number`.',
  }),
  subject_id: text(64).optional(),
  action: z.enum(auditActions).optional(),
  from: dayOrTime.optional().meta({ description: 'From this date or time on.' }),
  to: dayOrTime.optional().meta({ description: 'Up to this time, or to the end of this date (UTC).' }),
})

export const AuditPage = pageOf(AuditEntry)
