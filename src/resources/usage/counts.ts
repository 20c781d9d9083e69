import type { AccountContext } from '../../api/context.ts'

/** How many agents the caller owns, and how many chats its token has (spec 2, GET /usage). */
export async function countsOf(_ctx: AccountContext): Promise<{ agents: number; chats: number }> {
  return { agents: 0, chats: 0 }
}
