import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillCatalogue } from '../../src/app/bootstrap/catalogue.ts'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase, layOutDatabase } from '../support/database.ts'

type Entry = Record<string, unknown> & { id: number; name: string }

describe('the starter catalogue', () => {
  let app: TestApp
  let admin: Caller
  beforeAll(async () => {
    app = await testApp({ database: await freshDatabase() })
    admin = await operator(app)
  })
  afterAll(() => app.database.close())
  const list = async (kind: string) => (await admin.send('GET', `/admin/${kind}`)).body.data as unknown as Entry[]

  test('fills an empty catalogue once, with entries that operators can read and replace', async () => {
    const options = { now: new Date(), withTools: true, timeZone: 'Europe/Berlin' }
    expect(await fillCatalogue(app.database.db, options)).toBe(true)
    expect(await fillCatalogue(app.database.db, options)).toBe(false)
    const counts = [
      ['base-configs', 2],
      ['industry-templates', 4],
      ['layer2-presets', 3],
      ['personalities', 4],
      ['tools', 3],
    ] as const
    for (const [kind, count] of counts) {
      const entries = await list(kind)
      expect(entries).toHaveLength(count)
      for (const entry of entries) {
        const again = await admin.send('PUT', `/admin/${kind}/${entry.id}`, entry)
        expect(again).toMatchObject({ status: 200, body: { data: { ...entry, updated_at: expect.any(String) } } })
      }
    }
    expect((await list('tools')).filter(({ locked }) => locked)).toHaveLength(1)
    expect((await list('layer2-presets')).map(({ key }) => key)).toEqual([
      'after-hours',
      'lead-qualification',
      'receptionist',
    ])
  })

  test('the plainest request builds from each of its industries', async () => {
    const { data } = (await admin.send('GET', '/v2/assistants/form-options')).body as unknown as {
      data: { industry_templates: Entry[] }
    }
    for (const { id } of data.industry_templates) {
      const body = { name: 'Desk', industry_template_id: id }
      expect((await admin.send('POST', '/v2/assistants/preview', body)).status).toBe(200)
      expect((await admin.send('POST', '/v2/assistants', body)).status).toBe(201)
    }
  })

  test('every combination of its layers is valid, and needs just what its forms ask for', async () => {
    const { data: options } = (await admin.send('GET', '/v2/assistants/form-options')).body as unknown as {
      data: {
        industry_templates: (Entry & { custom_fields: { key: string }[] })[]
        layer2_presets: (Entry & { key: string })[]
        personalities: Entry[]
      }
    }
    const company = { company_name: 'Acme', location: '1 Main St' }
    for (const { id, custom_fields } of options.industry_templates) {
      const answers = Object.fromEntries(custom_fields.map(({ key }) => [key, `the ${key}`]))
      for (const { key } of options.layer2_presets) {
        for (const personality of options.personalities) {
          const answer = await admin.send('POST', '/v2/assistants/preview', {
            name: 'Desk',
            industry_template_id: id,
            layer2_key: key,
            personality_id: personality.id,
            metadata: company,
            variable_values: answers,
          })
          expect(answer).toMatchObject({ status: 200, body: { data: { unresolved: [] } } })
          const [system] = (answer.body.data.rendered as { messages: { content: string }[] }).messages
          for (const value of Object.values(answers)) expect(system?.content).toContain(value)
          // Filled by the platform, anew for each call.
          expect(system?.content).toContain('Today is {{"now" | date: "%A, %B %-d, %Y", "Europe/Berlin"}}.')
          expect(answer.body.data.config).toMatchObject({ endCallPhrases: expect.arrayContaining(['goodbye']) })
        }
      }
    }
  })
})

test('where another platform is used, tools are left out', async () => {
  const app = await testApp({ database: await freshDatabase() })
  await fillCatalogue(app.database.db, { now: new Date(), withTools: false, timeZone: 'UTC' })
  const admin = await operator(app)
  expect((await admin.send('GET', '/admin/tools')).body.data).toEqual([])
  await app.database.close()
})

describe('a server with the embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-starter-'))
  const env = readEnv({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  beforeAll(() => layOutDatabase(dataDir))
  afterEach(() => server?.stop())
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  const start = async () => {
    server = await startServer(env)
    const { url, adminKey } = server
    return async (method: string, path: string) => {
      const answer = await fetch(url + path, { method, headers: { authorization: `Bearer ${adminKey}` } })
      return (await answer.json()).data
    }
  }

  test('fills its catalogue at the first start only, and leaves what operators did', async () => {
    const call = await start()
    const presets: Entry[] = await call('GET', '/admin/layer2-presets')
    expect(presets).toHaveLength(3)
    for (const kind of ['layer2-presets', 'personalities', 'industry-templates', 'base-configs', 'tools']) {
      for (const { id } of await call('GET', `/admin/${kind}`)) await call('DELETE', `/admin/${kind}/${id}`)
    }
    await server?.stop()
    const again = await start()
    expect(await again('GET', '/v2/assistants/form-options')).toEqual({
      base_configs: [],
      industry_templates: [],
      layer2_presets: [],
      personalities: [],
    })
  })
})
