import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Files } from '../../src/storage/files.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { storedUser } from '../support/rows/accounts.ts'
import { deleteNow } from '../support/rows/files.ts'
import { gif, jpeg, picture, png } from './pictures.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const form = (fields: Record<string, string | Blob>) => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}
const twice = (name: string, value: Blob, made: FormData) => {
  for (const _ of [1, 2]) made.append(name, value)
  return made
}
const update = async ({ token }: TestUser, body: unknown, method = 'POST', to = app) => {
  const answer = await to.send(method, '/user', { token, body })
  return { status: answer.status, body: await answer.json() }
}
const stored = ({ userId }: TestUser) => storedUser(app.database, userId)
const pathOf = (url: string) => new URL(url).pathname

describe('fields', () => {
  test.each(['POST', 'PUT'])('%s answers the user record, from JSON as from a form', async (method) => {
    const user = await newUser(app.database)
    const fields = { name: 'Ada', phone: '+14155550100', company: 'Engines', bio: 'Counts.' }
    for (const body of [fields, form(fields)]) {
      const answer = await update(user, body, method)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        success: true,
        message: 'Profile updated successfully',
        data: { id: user.userId, ...fields, profile_picture: null, role: 'user', status: 'active' },
      })
      const read = await (await app.send('GET', '/user', { token: user.token })).json()
      expect(read).toEqual({ success: true, data: answer.body.data })
    }
  })

  test('the record has exactly the documented keys', async () => {
    const { body } = await update(await newUser(app.database), { name: 'Ada' })
    expect(Object.keys(body.data)).toEqual(
      (
        'id reseller_id reseller_current_ui_version reseller_ui_intro_seen_at name email identity_id social_id role ' +
        'phone company bio profile_picture status email_verified_at created_at updated_at deleted_at ' +
        'is_reseller_admin is_reseller'
      ).split(' '),
    )
  })

  test('what is left out stays, null and an empty form field clear, unknown fields are ignored', async () => {
    const user = await newUser(app.database)
    await update(user, { name: 'Ada', phone: '1', company: 'C', bio: 'B' })
    expect(
      (await update(user, { name: 'Ada', phone: null, role: 'admin', email: 'x@y.test' })).body.data,
    ).toMatchObject({
      phone: null,
      company: 'C',
      bio: 'B',
      role: 'user',
    })
    expect((await update(user, form({ name: 'Ada', company: '' }))).body.data).toMatchObject({
      company: null,
      bio: 'B',
    })
  })

  test.each([
    ['name at its limit', { name: '🙂'.repeat(255) }],
    ['phone at its limit', { name: 'A', phone: '1'.repeat(20) }],
    ['company at its limit', { name: 'A', company: 'c'.repeat(255) }],
    ['bio at its limit', { name: 'A', bio: 'b'.repeat(1000) }],
  ])('%s is taken', async (_what, body) => {
    expect((await update(await newUser(app.database), body)).body.data).toMatchObject(body)
  })

  test.each([
    ['name', {}, 'The name field is required.'],
    ['name', { name: '  ' }, 'The name field is required.'],
    ['name', { name: null }, 'The name field is required.'],
    ['name', { name: 'n'.repeat(256) }, 'The name field must have at most 255 characters.'],
    ['phone', { name: 'A', phone: '1'.repeat(21) }, 'The phone field must have at most 20 characters.'],
    ['phone', { name: 'A', phone: 1 }, 'The phone field must be a string.'],
    ['company', { name: 'A', company: 'c'.repeat(256) }, 'The company field must have at most 255 characters.'],
    ['bio', { name: 'A', bio: 'b'.repeat(1001) }, 'The bio field must have at most 1000 characters.'],
  ])('%s: %j is refused', async (field, body, text) => {
    const user = await newUser(app.database)
    const answer = await update(user, body)
    expect(answer).toEqual({
      status: 422,
      body: { message: 'The given data was invalid.', errors: { [field]: [text] } },
    })
    expect((await stored(user)).updatedAt).toEqual((await stored(user)).createdAt)
  })

  test('a viewer changes their own profile too', async () => {
    expect((await update(await newUser(app.database, { workspaceRole: 'viewer' }), { name: 'Ada' })).status).toBe(200)
  })
})

describe('pictures', () => {
  test.each([
    ['jpg', 'image/jpeg', jpeg],
    ['png', 'image/png', png],
    ['gif', 'image/gif', gif],
  ])('a %s is served publicly with its type, whatever it was called', async (extension, type, bytes) => {
    const user = await newUser(app.database)
    const fields = { name: 'Ada', profile_picture: new File([bytes], 'x.html', { type: 'text/html' }) }
    const { status, body } = await update(user, form(fields), extension === 'png' ? 'PUT' : 'POST')
    expect(status).toBe(200)
    expect(body.data.profile_picture).toMatch(
      new RegExp(`^http://localhost/files/pictures/[0-9a-f]{48}\\.${extension}$`),
    )
    const served = await app.send('GET', pathOf(body.data.profile_picture))
    expect(served.status).toBe(200)
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const headers = { 'if-none-match': served.headers.get('etag') ?? '' }
    expect((await app.send('GET', pathOf(body.data.profile_picture), { headers })).status).toBe(304)
    const head = await app.send('HEAD', pathOf(body.data.profile_picture))
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([200, '', type])
  })

  const html = '<html><script>alert(1)</script></html>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  const wrong = 'The profile_picture field must be an image of type: jpeg, png, jpg, gif.'
  test.each([
    ['an SVG called .png', picture(svg), wrong],
    ['HTML called .png', picture(html), wrong],
    ['a WebP', picture('RIFF0000WEBPVP8 '), wrong],
    ['text', picture('hello'), wrong],
    ['a PNG whose head is cut', picture(png.slice(0, 7)), wrong],
    ['a head that is not at the start', picture(new Uint8Array([0x20, ...png])), wrong],
    ['an empty one', picture(''), 'The profile_picture field must not be empty.'],
    [
      'one byte too many',
      picture(new Uint8Array(2048 * 1024 + 1).fill(0).map((_, at) => png[at] ?? 0)),
      'The profile_picture field must not be larger than 2048 kilobytes.',
    ],
  ])('%s is refused', async (_what, profilePicture, text) => {
    const user = await newUser(app.database)
    const answer = await update(user, form({ name: 'Ada', profile_picture: profilePicture }))
    const body = { message: 'The given data was invalid.', errors: { profile_picture: [text] } }
    expect(answer).toEqual({ status: 422, body })
    expect((await stored(user)).profilePicture).toBeNull()
  })

  test('one of exactly 2048 KB is taken', async () => {
    const largest = new Uint8Array(2048 * 1024)
    largest.set(png)
    const answer = await update(await newUser(app.database), form({ name: 'Ada', profile_picture: picture(largest) }))
    expect(answer.status).toBe(200)
  })

  test.each([
    ['a text part', () => form({ name: 'Ada', profile_picture: 'https://a.test/x.png' })],
    ['a text in JSON', () => ({ name: 'Ada', profile_picture: 'aGVsbG8=' })],
    ['an object in JSON', () => ({ name: 'Ada', profile_picture: {} })],
    ['a text part, whatever else is wrong', () => form({ profile_picture: 'x' })],
    ['a second picture', () => twice('profile_picture', picture(png), form({ name: 'Ada' }))],
  ])('%s is an invalid upload', async (_what, body) => {
    const answer = await update(await newUser(app.database), body())
    expect(answer).toEqual({ status: 400, body: { success: false, message: 'Invalid file upload' } })
  })

  test('a whole profile sent back as it was read keeps its picture (profile 6)', async () => {
    const user = await newUser(app.database)
    const { data } = (await update(user, form({ name: 'Ada', profile_picture: picture(png) }))).body
    for (const body of [data, form({ name: 'Ada', profile_picture: data.profile_picture })]) {
      const { status, body: saved } = await update(user, body)
      expect([status, saved.data.profile_picture]).toEqual([200, data.profile_picture])
    }
    const other = `${data.profile_picture}x`
    expect((await update(user, { ...data, profile_picture: other })).status).toBe(400)
    expect((await update(user, { ...data, name: '' })).status).toBe(422)
  })

  test.each([
    [
      'breaks off within the picture',
      '--b\r\nContent-Disposition: form-data; name="profile_picture"; filename="a.png"\r\n\r\nabc',
    ],
    ['is none', 'name=Ada'],
  ])('a form that %s is an invalid upload', async (_what, body) => {
    const { token } = await newUser(app.database)
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await app.send('POST', '/user', { token, body, headers })
    const answer = { status: response.status, body: await response.json() }
    expect(answer).toEqual({ status: 400, body: { success: false, message: 'Invalid file upload' } })
  })

  test('a new one replaces the old one, leaving it out keeps it, null and an empty field remove it', async () => {
    const user = await newUser(app.database)
    const send = async (body: unknown) => (await update(user, body)).body.data.profile_picture
    const served = async (url: string) => (await app.send('GET', pathOf(url))).status
    const first = await send(form({ name: 'Ada', profile_picture: picture(png) }))
    expect(await send({ name: 'Ada' })).toBe(first)
    expect(await send(form({ name: 'Ada' }))).toBe(first)
    const second = await send(form({ name: 'Ada', profile_picture: picture(png) }))
    expect(second).not.toBe(first)
    expect([await served(first), await served(second)]).toEqual([404, 200])
    expect(await send({ name: 'Ada', profile_picture: null })).toBeNull()
    expect(await served(second)).toBe(404)
    const third = await send(form({ name: 'Ada', profile_picture: picture(gif) }))
    expect(await send(form({ name: 'Ada', profile_picture: '' }))).toBeNull()
    expect(await served(third)).toBe(404)
  })

  test('a form whose file was not chosen, as browsers send it, leaves the stored one', async () => {
    const user = await newUser(app.database)
    const first = (await update(user, form({ name: 'Ada', profile_picture: picture(png) }))).body.data.profile_picture
    const head = 'Content-Disposition: form-data; name='
    const body = [
      `--b\r\n${head}"name"\r\n\r\nAda\r\n`,
      `--b\r\n${head}"profile_picture"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n`,
    ].join('')
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await app.send('POST', '/user', { token: user.token, body, headers })
    expect([answer.status, (await answer.json()).data.profile_picture]).toEqual([200, first])
  })

  test.each([
    '/files/pictures/nothing.png',
    `/files/pictures/${'0'.repeat(48)}.png`,
    '/files/pictures/..%2f..%2fsecrets-key',
    `/files/pictures/${'0'.repeat(48)}.svg`,
  ])('%s is not there', async (path) => {
    const answer = await app.send('GET', path)
    expect([answer.status, await answer.json()]).toEqual([404, { success: false, message: 'Picture not found' }])
  })
})

describe('failures', () => {
  /** An app whose storage can be told to fail, and that remembers what it holds. */
  const fragile = async () => {
    const kept = new Map<string, Uint8Array>()
    const failing = new Set<keyof Files>()
    const file = <T>(verb: keyof Files, work: () => T) => {
      if (failing.has(verb)) return Promise.reject(new Error('EIO /srv/files: secret detail'))
      return Promise.resolve(work())
    }
    const files: Files = {
      put: async (key, content) => {
        const bytes = content instanceof Blob ? await content.bytes() : content
        return file('put', () => void kept.set(key, bytes))
      },
      get: (key) => file('get', () => kept.get(key)),
      stream: () => Promise.reject(new Error('unused')),
      delete: (key) => file('delete', () => void kept.delete(key)),
    }
    return { app: await testApp({ files }), kept, failing }
  }
  /** Makes the database refuse every change of one user. */
  const refuseSavesOf = async ({ userId }: TestUser) => {
    const { db } = app.database
    await db.execute(
      sql.raw(`create function refuse_save_${userId}() returns trigger language plpgsql
      as $$ begin raise exception 'refused by the test'; end $$`),
    )
    await db.execute(
      sql.raw(`create trigger refuse_save_${userId} before update on users for each row
      when (old.id = ${userId}) execute function refuse_save_${userId}()`),
    )
  }
  const body = () => form({ name: 'Ada', profile_picture: picture(png) })

  test('storage that fails is 500, and nothing changes', async () => {
    const { app: failingApp, failing } = await fragile()
    const user = await newUser(app.database)
    const before = await stored(user)
    failing.add('put')
    expect(await update(user, body(), 'POST', failingApp)).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to update profile: the picture could not be stored.' },
    })
    expect(await stored(user)).toEqual(before)
  })

  test('a save that fails is 500, and takes the new picture with it', async () => {
    const { app: failingApp, kept } = await fragile()
    const user = await newUser(app.database)
    await update(user, body(), 'POST', failingApp)
    const [first] = [...kept.keys()]
    await refuseSavesOf(user)
    const answer = await update(user, body(), 'POST', failingApp)
    expect(answer).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to update profile: the changes could not be saved.' },
    })
    // The response does not wait for the deletion.
    await vi.waitFor(() => expect([...kept.keys()]).toEqual([first]), { timeout: 20_000 })
    expect((await stored(user)).profilePicture).toBe(first)
  })

  test('an old picture that cannot be removed goes once it can, and the change counts', async () => {
    const { app: failingApp, kept, failing } = await fragile()
    const user = await newUser(app.database)
    await update(user, body(), 'POST', failingApp)
    failing.add('delete')
    const old = [...kept.keys()]
    expect((await update(user, body(), 'POST', failingApp)).status).toBe(200)
    expect(kept.size).toBe(2)

    failing.delete('delete')
    await deleteNow(app.database, old)
    await failingApp.services.deletions.work?.run()
    expect([...kept.keys()]).toEqual([(await stored(user)).profilePicture])
  })

  test('a picture that cannot be read is 500 without its place', async () => {
    const { app: failingApp, failing } = await fragile()
    const user = await newUser(app.database)
    const { body: saved } = await update(user, body(), 'POST', failingApp)
    failing.add('get')
    const answer = await failingApp.send('GET', pathOf(saved.data.profile_picture))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('EIO')
  })

  test('two changes at once leave one picture, and it is the named one', async () => {
    const { app: failingApp, kept } = await fragile()
    const user = await newUser(app.database)
    await Promise.all(Array.from({ length: 5 }, () => update(user, body(), 'POST', failingApp)))
    expect([...kept.keys()]).toEqual([(await stored(user)).profilePicture])
  })
})
