import { z } from 'zod'
import { text } from '../../../api/schemas.ts'
import { messageRoles } from '../../../voice-platform/mapping/limits.ts'

/** Its type is that of records, which show whatever role the platform has. */
const role = text(50)
  .check(({ value: input, issues }) => {
    const values = [...messageRoles]
    if (!values.some((known) => known === input)) issues.push({ code: 'invalid_value', values, input })
  })
  .meta({ description: `One of: ${messageRoles.join(', ')}.` })

/** A message of an assistant's prompt. */
export const Message = z.object({ role, content: text(100_000) })
