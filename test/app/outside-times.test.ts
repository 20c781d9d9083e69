import { expect, test } from 'vitest'
import { carrierFor } from '../../src/app/bootstrap/carrier.ts'
import { embedderFor } from '../../src/app/bootstrap/embedder.ts'
import { filesFor } from '../../src/app/bootstrap/files.ts'
import { readEnv } from '../../src/app/env.ts'
import { testDatabase } from '../support/database.ts'

/** A server that takes requests and never answers. */
async function withSilentServer(work: (url: string) => Promise<void>): Promise<void> {
  const silent = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: () => new Promise<Response>(() => {}),
  })
  try {
    await work(`http://127.0.0.1:${silent.port}`)
  } finally {
    await silent.stop(true)
  }
}

test('embeddings that do not come end after their time', () =>
  withSilentServer(async (url) => {
    const env = readEnv({ LLM_BASE_URL: url, LLM_MODELS: 'm', EMBEDDINGS_MODEL: 'e', EMBEDDINGS_SECONDS: '1' })
    await expect(embedderFor(env)?.embed(['text'])).rejects.toThrow()
  }))

test('an object store that does not answer ends after its time', () =>
  withSilentServer(async (url) => {
    const account = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'i', S3_SECRET_ACCESS_KEY: 's', S3_SECONDS: '1' }
    const files = filesFor(readEnv({ S3_ENDPOINT: url, ...account }))
    await expect(files.delete('a-key', { share: 1 })).rejects.toThrow()
  }))

test('the carrier gets the time that it is given', async () => {
  const env = readEnv({ CARRIER: 'twilio', TWILIO_ACCOUNT_SID: 'AC', TWILIO_AUTH_TOKEN: 't', CARRIER_SECONDS: '4' })
  expect(env.outsideTimes.carrierMs).toBe(4_000)
  expect(carrierFor(env, (await testDatabase()).db).name).toBe('twilio')
})
