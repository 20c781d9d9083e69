import { z } from 'zod'
import { SealedSecretError, type Vault } from '../../secrets/vault.ts'
import type { ChatThread } from '../../voice-platform/chat.ts'

/** Sessions are of no use under another key, nor after the key was replaced. */
const sealedFor = (publicKey: string) => `widget.session:${publicKey}`

const longest = 1000
const Thread = z.union([z.object({ sessionId: z.string() }), z.object({ previousChatId: z.string() })])

/** What a visitor is given for a thread of the platform: nobody can guess it, or tell the platform's id from it. */
export const sealSession = (vault: Vault, publicKey: string, thread: ChatThread): string =>
  vault.seal(JSON.stringify(thread), sealedFor(publicKey))

/** The platform's thread behind what a visitor sent; undefined for anything that this key was not given. */
export function openSession(
  vault: Vault,
  publicKey: string,
  sealed: string | null | undefined,
): ChatThread | undefined {
  if (!sealed || sealed.length > longest) return undefined
  try {
    return Thread.parse(JSON.parse(vault.open(sealed, sealedFor(publicKey))))
  } catch (error) {
    if (error instanceof SealedSecretError) return undefined
    throw error
  }
}
