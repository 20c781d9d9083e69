import { createPlatformClient, type PlatformClient } from '../../../src/voice-platform/client.ts'
import {
  createEmbeddedPlatform,
  type EmbeddedPlatform,
  type EmbeddedPlatformOptions,
  embeddedFetch,
} from '../../../src/voice-platform/embedded/platform.ts'
import { createMemoryStore } from '../../../src/voice-platform/embedded/store/memory-store.ts'
import type { TransportOptions } from '../../../src/voice-platform/transport.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts'

export const apiKey = 'private-key-of-the-tests'

/** An embedded platform with its client, both on one virtual clock. */
export interface EmbeddedRig {
  platform: EmbeddedPlatform
  client: PlatformClient
  clock: VirtualClock
  /** Asks the platform as its own clients do: what the client's types would not let through. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Awaited<ReturnType<Response['json']>> }>
}

/** Makes a platform in memory and a client that reaches it through the injected fetch. */
export function createRig(
  options: Partial<EmbeddedPlatformOptions> = {},
  transport: Partial<TransportOptions> & { simulated?: boolean } = {},
): EmbeddedRig {
  const clock = createVirtualClock()
  const platform = createEmbeddedPlatform({
    store: createMemoryStore(),
    clock,
    newId: () => crypto.randomUUID(),
    apiKey,
    record: true,
    ...options,
  })
  const client = createPlatformClient({
    baseUrl: 'http://localhost',
    apiKey,
    fetch: embeddedFetch(platform),
    clock,
    sleep: clock.sleep,
    ...transport,
  })
  return {
    platform,
    client,
    clock,
    async call(method, path, body) {
      const headers = { authorization: `Bearer ${apiKey}` }
      const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await platform.fetch(new Request(`http://platform${path}`, request))
      return { status: response.status, body: await response.json() }
    },
  }
}
