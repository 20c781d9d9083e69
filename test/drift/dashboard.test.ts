import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VapiClient } from '@vapi-ai/server-sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAsCode } from '../../cli/as-code/command.ts'
import { servePlatform } from '../../src/voice-platform/embedded/serve.ts'
import { listening } from '../support/listening.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
let sdk: VapiClient
let home: string
let ends: (() => Promise<unknown>)[]
let url: string
beforeEach(async () => {
  rig = await createDriftRig()
  const served = servePlatform(rig.platform)
  const server = listening(rig.app)
  url = server.url
  ends = [() => served.stop(), () => server.stop(), () => rig.stop()]
  sdk = new VapiClient({ token: 'sk_drift_test', environment: served.url, maxRetries: 0 })
  home = mkdtempSync(join(tmpdir(), 'switchboard-dashboard-'))
})
afterEach(async () => {
  for (const end of ends) await end()
  rmSync(home, { recursive: true })
})

/** A command of the terminal: its exit code, and what it prints. */
async function run(name: 'pull' | 'plan' | 'apply'): Promise<{ code: number; out: string[] }> {
  const out: string[] = []
  const env = { HOME: home, SWITCHBOARD_URL: url, SWITCHBOARD_KEY: rig.user.token }
  const code = await runAsCode(name, [join(home, 'workspace')], { env, print: (text) => void out.push(text) })
  return { code, out: out.join('\n').split('\n') }
}

const greet = (voiceId: unknown, firstMessage: string) =>
  sdk.assistants.update({ id: String(voiceId), firstMessage } as never)

test('an edit with the official SDK is found, kept, and taken back', async () => {
  const made = await rig.data('POST', '/assistants', { name: 'Front desk', firstMessage: 'Hi' })
  const path = `/assistants/${made.assistant_id}`
  await greet(made.voice_assistant_id, 'Hello from the dashboard')
  expect(await rig.sweep()).toMatchObject([
    {
      kind: 'assistant',
      resource: made.assistant_id,
      leaves: [{ path: 'firstMessage', base: 'Hi', ours: 'Hi', theirs: 'Hello from the dashboard' }],
    },
  ])
  const kept = await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
  expect(kept.first_message).toBe('Hello from the dashboard')
  expect(await rig.sweep()).toEqual([])

  const [theirs, created] = await rig.data<Body[]>('GET', `${path}/update-log`)
  expect([theirs?.source, created?.action]).toEqual(['platform', 'created'])
  expect((await rig.data('POST', `${path}/update-log/${created?.id}/restore`)).first_message).toBe('Hi')
  expect(await sdk.assistants.get({ id: String(made.voice_assistant_id) })).toMatchObject({ firstMessage: 'Hi' })
  expect(await rig.sweep()).toEqual([])
})

test('a plan shows what others changed apart from its own changes', async () => {
  const made = await rig.data('POST', '/assistants', { name: 'Front desk', firstMessage: 'Hi' })
  const lost = await rig.data('POST', '/assistants', { name: 'Lost' })
  expect(await run('pull')).toEqual({ code: 0, out: [`2 files in ${join(home, 'workspace')}.`] })
  await greet(made.voice_assistant_id, 'Hello')
  await sdk.assistants.delete({ id: String(lost.voice_assistant_id) } as never)
  expect((await run('plan')).out).toEqual(['Nothing to change.'])
  await rig.sweep()
  const { code, out } = await run('plan')
  expect(code).toBe(0)
  expect(out.slice(0, 3)).toEqual(['Nothing to change.', '', 'Changed on the voice platform, by others:'])
  expect(out.slice(3).join('\n')).toContain(
    '    assistants/front-desk (changed)\n        firstMessage: "Hi" -> "Hello"',
  )
  expect(out.slice(3)).toContain('    assistants/lost (missing)')

  await rig.data('POST', `/assistants/${made.assistant_id}/reconcile`, { keep: 'theirs' })
  await rig.data('POST', `/assistants/${lost.assistant_id}/reconcile`, { keep: 'ours' })
  const after = await run('plan')
  expect(after.code).toBe(2)
  expect(after.out).toContain('    firstMessage: "Hello" -> "Hi"')
  expect(after.out.join('\n')).not.toContain('by others')
})
