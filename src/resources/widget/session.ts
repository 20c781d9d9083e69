import { z } from 'zod'
import { SealedSecretError, type Vault } from '../../secrets/vault.ts'
import type { ChatThread } from '../../voice-platform/chat.ts'

/** Sessions are of no use under another key, nor after the key was replaced. */
const sealedFor = (publicKey: string) => `widget.session:${publicKey}`

const maxLength = 1000
const Session = z.union([
  z.object({ sessionId: z.string(), conversationId: z.uuid().optional() }),
  z.object({ previousChatId: z.string(), conversationId: z.uuid().optional() }),
])

/** What a visitor's messages go on with: the platform's thread, and the conversation that keeps them. */
export type VisitorSession = ChatThread & { conversationId?: string }

/** What a visitor is given for a session: nobody can guess it, or tell the platform's id from it. */
export const sealSession = (vault: Vault, publicKey: string, session: VisitorSession): string =>
  vault.seal(JSON.stringify(session), sealedFor(publicKey))

/** The session behind what a visitor sent; undefined for anything that this key was not given. */
export function openSession(
  vault: Vault,
  publicKey: string,
  sealed: string | null | undefined,
): VisitorSession | undefined {
  if (!sealed || sealed.length > maxLength) return undefined
  try {
    return Session.parse(JSON.parse(vault.open(sealed, sealedFor(publicKey))))
  } catch (error) {
    if (error instanceof SealedSecretError) return undefined
    throw error
  }
}
