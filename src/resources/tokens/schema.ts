import { z } from 'zod'
import { tokenScopes } from '../../accounts/account.ts'
import { clearable, dataOf, dayOrTime, integerId, isoTime, pageOf, pageQuery, requiredText } from '../../api/schemas.ts'

const shown = {
  id: z.int(),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first characters, to recognise it by.', examples: ['vk_Ab3dE5f'] }),
}

const scope = z.enum(tokenScopes)
const scopes = {
  scopes: z.array(scope).nullable().meta({ description: 'What it may do; null: whatever its user may.' }),
}
const times = { expires_at: isoTime.nullable(), created_at: isoTime }

/** A token as lists show it (contract: accounts 15). */
export const Token = z
  .object({ ...shown, ...scopes, last_used_at: isoTime.nullable(), ...times })
  .meta({ id: 'Token', description: 'A bearer token, without its secret.' })

/** A new token: the only response that shows it. */
export const NewToken = z
  .object({ ...shown, token: z.string().meta({ description: 'Shown this once.' }), ...scopes, ...times })
  .meta({ id: 'NewToken' })

const name = requiredText(255)
const rights = {
  expires_at: clearable(dayOrTime).meta({
    description: 'Not after the end of the token that asks, whose end it is when left out; null: never.',
  }),
  scopes: clearable(z.array(scope).min(1).max(tokenScopes.length)).meta({
    description:
      'What the token may do, none of it more than the token that asks, whose scopes it has when left out; null: whatever the user may.',
    examples: [['read', 'assistants:write']],
  }),
}

export const CreateOwnTokenInput = z.object({ name, ...rights })
export const OwnTokenPath = z.object({ id: integerId })

const userPath = { id: integerId.meta({ description: 'The user.' }) }

export const UserTokenQuery = pageQuery.extend(userPath)
export const CreateUserTokenInput = z.object({ ...userPath, name: name.optional(), ...rights })
export const UserTokenPath = z.object({ ...userPath, token_id: integerId })

export const NewTokenResponse = dataOf(NewToken)
export const TokenPage = pageOf(Token)
