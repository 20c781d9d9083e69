import { z } from 'zod'
import { dataOf, isoTime, pageOf, requiredText } from '../../api/schemas.ts'

/** A reseller (contract: accounts 1); other records carry its id as a string. */
export const Reseller = z
  .object({ id: z.int(), name: z.string(), created_at: isoTime, updated_at: isoTime })
  .meta({ id: 'Reseller', description: 'A reseller has workspaces.' })

export const CreateResellerInput = z.object({ name: requiredText(255) })
export const ResellerResponse = dataOf(Reseller)
export const ResellerPage = pageOf(Reseller)
