import { z } from 'zod'
import { clearable, dataOf, integerId, isoTime, pageOf, pageQuery, requiredText } from '../../api/schemas.ts'

const shown = {
  id: integerId,
  name: z.string(),
  prefix: z.string().meta({ description: 'The first characters, to recognise it by.', examples: ['vk_Ab3dE5f'] }),
}

const times = { expires_at: isoTime.nullable(), created_at: isoTime }

/** A token as lists show it (contract: accounts 15). */
export const Token = z
  .object({ ...shown, last_used_at: isoTime.nullable(), ...times })
  .meta({ id: 'Token', description: 'A bearer token, without its secret.' })

/** A new token: the only answer that shows it. */
export const NewToken = z
  .object({ ...shown, token: z.string().meta({ description: 'Shown this once.' }), ...times })
  .meta({ id: 'NewToken' })

const name = requiredText(255)
const expires = {
  expires_at: clearable(z.iso.datetime({ offset: true })).meta({ description: 'In the future; never when left out.' }),
}

export const CreateOwnTokenInput = z.object({ name, ...expires })
export const OwnTokenPath = z.object({ id: integerId })

const userPath = { id: integerId.meta({ description: 'The user.' }) }

export const UserTokenQuery = pageQuery.extend(userPath)
export const CreateUserTokenInput = z.object({ ...userPath, name: name.optional(), ...expires })
export const UserTokenPath = z.object({ ...userPath, token_id: integerId })

export const NewTokenResponse = dataOf(NewToken)
export const TokenPage = pageOf(Token)
