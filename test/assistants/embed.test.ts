import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let client: Client
let id: string

beforeAll(async () => {
  client = await newClient(await testApp())
  id = (await client.data('POST', '/assistants', { name: 'Desk' })).assistant_id
})

const send = (method: string, body?: object, suffix = '') =>
  client.send(method, `/assistants/${id}/embed${suffix}`, body)

test('a new assistant has a widget already', async () => {
  const { status, body } = await send('GET')
  const { success, data } = body
  expect([status, success]).toEqual([200, true])
  expect(Object.keys(data).sort()).toEqual(
    ['api_url', 'assistant_id', 'embed_config', 'embed_html', 'public_key', 'widget_script_url'].sort(),
  )
  expect(data).toMatchObject({
    assistant_id: id,
    embed_config: { mode: 'chat' },
    widget_script_url: 'http://localhost/widget.js',
    api_url: `http://localhost/widget/${data.public_key}`,
  })
  expect(data.public_key).toMatch(/^pk_[0-9a-f]{32}$/)
})

test('PUT replaces the configuration and answers four keys', async () => {
  const whole = {
    mode: 'chat',
    enabled: true,
    theme: 'dark',
    position: 'top-left',
    size: 'tiny',
    border_radius: 'large',
    base_bg_color: '#fff',
    accent_color: 'rgba(1, 2, 3, 0.5)',
    cta_button_color: 'rebeccapurple',
    cta_button_text_color: 'hsl(200, 50%, 50%)',
    title: 'Ask',
    consent_required: true,
    allowed_origins: ['https://Shop.example.com', 'http://localhost:5173'],
    locale: 'de-AT',
  }
  const own = { primary_color: '#fff', notes: { for: 'us "alone"' } }
  const { data } = (await send('PUT', { embed_config: { ...whole, ...own } })).body
  expect(Object.keys(data).sort()).toEqual(['assistant_id', 'embed_config', 'embed_html', 'public_key'])
  expect(data.embed_config).toEqual({
    ...whole,
    ...own,
    allowed_origins: ['https://shop.example.com', 'http://localhost:5173'],
  })
  expect(data.embed_html).toContain('&quot;title&quot;:&quot;Ask&quot;')
  for (const key of Object.keys(own)) expect(data.embed_html).not.toContain(key)
  const replaced = await send('PUT', { embed_config: { title: 'Only', theme: null } })
  expect(replaced.body.data.embed_config).toEqual({ mode: 'chat', title: 'Only' })
  const record = await client.data('GET', `/assistants/${id}`)
  expect(record.widget_embed_config).toEqual({ title: 'Only' })
})

describe('refused', () => {
  const of = (key: string, text: string) => ({ [`embed_config.${key}`]: [text] })
  test.each([
    [{}, { embed_config: ['The embed_config field is required.'] }],
    [{ embed_config: [] }, { embed_config: ['The embed_config field must be an object.'] }],
    [{ embed_config: { mode: 'voice' } }, of('mode', 'The embed_config.mode field must be one of: chat.')],
    [{ embed_config: { theme: 'pink' } }, of('theme', 'The embed_config.theme field must be one of: light, dark.')],
    [
      { embed_config: { accent_color: 'url(x)' } },
      of('accent_color', 'The embed_config.accent_color field must be a CSS colour.'),
    ],
    [
      { embed_config: { accent_color: 'red;}' } },
      of('accent_color', 'The embed_config.accent_color field must be a CSS colour.'),
    ],
    [
      { embed_config: { allowed_origins: ['https://a.example/path'] } },
      of(
        'allowed_origins.0',
        'The embed_config.allowed_origins.0 field must be an origin such as https://www.example.com.',
      ),
    ],
    [
      { embed_config: { allowed_origins: ['https://*.example'] } },
      of(
        'allowed_origins.0',
        'The embed_config.allowed_origins.0 field must be an origin such as https://www.example.com.',
      ),
    ],
    [
      { embed_config: { notes: 'x'.repeat(100_000) } },
      { embed_config: ['The embed_config field is too large: it may have 100000 characters.'] },
    ],
    [{ embed_config: { enabled: 'yes' } }, of('enabled', 'The embed_config.enabled field must be true or false.')],
  ])('%j', async (body, errors) => {
    const { status, body: read } = await send('PUT', body)
    expect([status, read]).toEqual([422, { success: false, message: Object.values(errors)[0]?.[0], errors }])
  })
})

test('the tag is one script, and a hostile title stays inside it', async () => {
  const title = `"></script><script>alert('1')</script><img src=x onerror=alert(1)> & {{x}} \n '`
  const { data } = (await send('PUT', { embed_config: { title } })).body
  const tags: { name: string; config: string | null; api: string | null }[] = []
  const page = new HTMLRewriter().on('*', {
    element: (element) => {
      tags.push({
        name: element.tagName,
        config: element.getAttribute('data-config'),
        api: element.getAttribute('data-api-url'),
      })
    },
  })
  await page.transform(new Response(data.embed_html)).text()
  expect(tags).toHaveLength(1)
  expect(data.embed_html).not.toContain("alert('1')</script>")
  expect(data.embed_html.match(/<script/g)).toHaveLength(1)
  const unescaped = (text: string) =>
    text
      .replaceAll('&#10;', '\n')
      .replaceAll('&#13;', '\r')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  const config = /data-config="([^"]*)"/.exec(data.embed_html)?.[1] ?? ''
  expect(JSON.parse(unescaped(config))).toEqual({ mode: 'chat', title })
})

test('the public key can be replaced', async () => {
  const before = (await send('GET')).body.data
  const rotated = await send('POST', undefined, '/rotate-key')
  expect(rotated).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
  const after = (await send('GET')).body.data
  expect(after.public_key).not.toBe(before.public_key)
  expect(after.embed_html).toContain(after.public_key)
})
