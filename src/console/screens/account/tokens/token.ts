import type { client } from '../../../api/client.ts'
import { session } from '../../../session/session.ts'

/** One of the caller's tokens, without its secret. */
export type Token = Awaited<ReturnType<typeof client.tokens.list.query>>['data'][number]

/** Whether the console is signed in with a token: of each the first characters are known. */
export const isCurrent = ({ prefix }: Token): boolean => session.snapshot().token?.startsWith(prefix) === true
