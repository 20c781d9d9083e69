import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { embedder, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Client, clientOf, newClient, type Reply } from '../support/client.ts'
import { storedFileKeys } from '../support/rows/files.ts'

let app: TestApp
let user: Client & TestUser
let agent: string

beforeAll(async () => {
  await embedder.embed(['The model is loaded before the first upload.'])
  app = await testApp()
})
beforeEach(async () => {
  user = await newClient(app)
  agent = await newAgent()
})

const newAgent = async () => (await user.data('POST', '/agents', { name: 'Guide' })).id
const flat = ({ status, body }: Reply) => ({ status, ...body })
const upload = async (name: string, content: BlobPart, who: Client = user) =>
  flat(await who.post(`/agents/${agent}/files`, formOf('file', new File([content], name))))
const get = async (path: string, who: Client = user) => flat(await who.get(`/agents/${agent}${path}`))
const share = (access: 'view' | 'edit', mate: TestUser) =>
  user.send('PUT', `/agents/${agent}/shares/${mate.userId}`, { access })

describe('upload', () => {
  test.each([
    ['application/json', '{"file": "text"}'],
    ['application/json', '{'],
    ['text/plain', 'text'],
  ])('%s is 415, which names what is taken', async (type, body) => {
    const { status, message } = flat(await user.send('POST', `/agents/${agent}/files`, body, { 'content-type': type }))
    expect([status, message]).toEqual([415, 'Unsupported content type: send multipart/form-data.'])
  })

  test('a text is stored, read and indexed; answers have exactly their documented keys', async () => {
    const text = 'Our parking garage closes at ten in the evening.'
    const uploaded = await upload('Handbook.TXT', text)
    expect(uploaded).toEqual({
      status: 201,
      object: 'file',
      data: {
        id: expect.any(Number),
        project_id: expect.any(Number),
        original_name: 'Handbook.TXT',
        mime: 'text/plain',
        size: text.length,
        created_at: expect.stringMatching(/Z$/),
        extractable: true,
        extracted: true,
        indexed: true,
      },
    })
    const { extracted: _only, ...common } = uploaded.data
    const { object, data } = await get('/files')
    expect(object).toBe('list')
    expect(data).toEqual([
      {
        ...common,
        vector_count: 1,
        indexed: true,
        url: `http://localhost/agents/${agent}/files/${common.id}/content`,
        preview_kind: 'text',
      },
    ])
  })

  test.each([
    ['notes.exe', 'x'],
    ['noextension', 'x'],
    ['archive.tar.gz', 'x'],
    ['.txt.', 'x'],
  ])('%s is refused with the exact text', async (name, content) => {
    expect(await upload(name, content)).toEqual({
      status: 422,
      message: 'Unsupported file type. Allowed: txt, md, markdown, csv, json, log, text, pdf, doc, docx, rtf.',
    })
  })

  test('a file that nobody may upload is 422 before the agent and the access to it are looked at', async () => {
    const mate = await newClient(app)
    expect([await upload('a.exe', 'x', mate), await upload('a.txt', 'x', mate)]).toMatchObject([
      { status: 422 },
      { status: 404 },
    ])
    await share('view', mate)
    expect([await upload('a.exe', 'x', mate), await upload('a.txt', 'x', mate)]).toMatchObject([
      { status: 422 },
      { status: 403 },
    ])
  })

  test.each([
    ['a.md', 'text/markdown', 'text'],
    ['a.markdown', 'text/markdown', 'text'],
    ['a.csv', 'text/csv', 'text'],
    ['a.json', 'application/json', 'text'],
    ['a.log', 'text/plain', 'text'],
    ['a.text', 'text/plain', 'text'],
    ['a.pdf', 'application/pdf', 'pdf'],
    ['a.doc', 'application/msword', 'document'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
    ['a.RTF', 'application/rtf', 'document'],
  ])('%s is %s', async (name, mime, preview) => {
    const isText = preview === 'text'
    const { status, data } = await upload(name, 'The answer is here.')
    expect([status, data.mime, data.extractable, data.extracted, data.indexed]).toEqual([
      201,
      mime,
      isText,
      isText,
      isText,
    ])
    const [listed] = (await get('/files')).data
    expect([listed.preview_kind, listed.vector_count]).toEqual([preview, isText ? 1 : 0])
  })

  test.each([
    ['an empty file', ''],
    ['white space', ' \n\t '],
    ['a binary', new Uint8Array([1, 2, 3, 0, 0, 5, 200, 201])],
  ])('%s named .txt is stored without text', async (_what, content) => {
    const { status, data } = await upload('a.txt', content)
    expect([status, data.extractable, data.extracted, data.indexed]).toEqual([201, true, false, false])
  })

  const hoses = Array.from({ length: 100 }, (_, index) => ({ part: `Hose ${index}`, kind: 'garden' }))
  test.each([
    ['an object', '{"a":"before\\u0000after"}', { text: 'a: beforeafter' }],
    ['lines', '{"k\\u0000ey":"one"}\n{"b":"two"}', { text: 'key: one' }],
    [
      'a heading',
      `{"li\\u0000\\ud800st":${JSON.stringify(hoses)}}`,
      { heading: 'li\ufffdst', text: 'part: Hose 7; kind: garden' },
    ],
  ])('JSON with what the database cannot store in %s is stored without', async (_where, content, passage) => {
    const { status, data } = await upload('a.json', content)
    expect([status, data?.extracted]).toEqual([201, true])
    expect((await get('/search?q=beforeafter+one+Hose+7')).data).toContainEqual(expect.objectContaining(passage))
  })

  test.each([
    ['no file', new FormData(), { file: ['The file field is required.'] }],
    ['a text field', formOf('file', 'x'), { file: ['The file field must be a file.'] }],
    ['a second file', formOf('file', ...filesNamed('a.txt', 'b.txt')), { file: ['The file field must be one file.'] }],
    [
      'a third file',
      formOf('file[]', ...filesNamed('a.txt', 'a.txt', 'a.txt')),
      { file: ['The file field must be one file.'] },
    ],
    [
      'too large a file',
      formOf('file', new File([new Uint8Array(20_480 * 1024 + 1)], 'a.txt')),
      { file: ['The file field must not be greater than 20480 kilobytes.'] },
    ],
  ])('%s is 422', async (_what, body, errors) => {
    const { status, body: refused } = await user.post(`/agents/${agent}/files`, body)
    expect([status, refused]).toEqual([422, { message: Object.values(errors)[0]?.[0], errors }])
    expect((await get('/files')).data).toEqual([])
  })

  test('a file that a form did not choose counts for none beside one that it did', async () => {
    const form = formOf('file', new File([], ''), ...filesNamed('a.txt'), new File([], ''))
    expect((await user.post(`/agents/${agent}/files`, form)).body.data).toMatchObject({ original_name: 'a.txt' })
  })

  test('20 MB are taken, names lose their folders', async () => {
    const form = formOf('file', new File([new Uint8Array(20_480 * 1024).fill(65)], '..\\up/big.pdf'))
    const { status, body } = await user.post(`/agents/${agent}/files`, form)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ original_name: 'big.pdf', size: 20_480 * 1024 })
  })
})

function formOf(name: string, ...values: (string | File)[]): FormData {
  const form = new FormData()
  for (const value of values) form.append(name, value)
  return form
}

function filesNamed(...names: string[]): File[] {
  return names.map((name) => new File(['The same.'], name))
}

describe('access', () => {
  test('viewing lists, downloads and searches; editing uploads and deletes', async () => {
    const { data } = await upload('a.txt', 'Opening hours are nine to five.')
    const viewer = await newClient(app)
    expect(await get('/files', viewer)).toEqual({ status: 404, message: 'Agent not found.' })
    await share('view', viewer)
    expect((await get('/files', viewer)).data).toHaveLength(1)
    expect((await get('/search?q=hours', viewer)).data).toHaveLength(1)
    expect((await upload('b.txt', 'x', viewer)).status).toBe(403)
    const remove = (who: Client) => who.send('DELETE', `/agents/${agent}/files/${data.id}`)
    expect((await remove(viewer)).status).toBe(403)
    await share('edit', viewer)
    expect((await upload('b.txt', 'x', viewer)).status).toBe(201)
    expect((await remove(viewer)).body).toEqual({ object: 'file.deleted', id: data.id, deleted: true })
    expect((await remove(viewer)).body).toEqual({ message: 'File not found.' })
  })

  test('a file of another agent is 404', async () => {
    const { data } = await upload('a.txt', 'x')
    agent = await newAgent()
    for (const [method, path] of [
      ['DELETE', `/agents/${agent}/files/${data.id}`],
      ['GET', `/agents/${agent}/files/${data.id}/content`],
      ['GET', `/agents/${agent}/files/abc/content`],
    ] as const) {
      const { status, body } = await user.send(method, path)
      expect([status, body]).toEqual([404, { message: 'File not found.' }])
    }
  })
})

test('a download has the bytes, the type and the name, and is never a page', async () => {
  const { data } = await upload('Grüße 1.md', '<script>alert(1)</script>')
  const { status, body, headers } = await user.get(`/agents/${agent}/files/${data.id}/content`)
  expect([status, body]).toEqual([200, '<script>alert(1)</script>'])
  expect(headers.get('content-type')).toBe('text/markdown')
  expect(headers.get('content-length')).toBe('25')
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%201.md")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect((await app.send('GET', `/agents/${agent}/files/${data.id}/content`)).status).toBe(401)
})

test("a name's marks that mean something in a header are encoded there", async () => {
  const { data } = await upload("Ann's (new) list*.md", 'Bread')
  const { headers } = await user.get(`/agents/${agent}/files/${data.id}/content`)
  const written = 'Ann%27s%20%28new%29%20list%2A.md'
  expect(headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${written}`)
})

describe('search', () => {
  test('finds by words and by meaning, best first, within the agent alone', async () => {
    await upload('garage.txt', 'The parking garage closes at ten in the evening.')
    await upload('menu.txt', 'Lunch is served from noon. The soup changes every day.')
    const other = agent
    agent = await newAgent()
    await upload('secret.txt', 'The parking garage of another agent.')
    agent = other
    const byWords = await get('/search?q=garage')
    expect(byWords.data[0]).toEqual({
      file_id: expect.any(Number),
      original_name: 'garage.txt',
      text: 'The parking garage closes at ten in the evening.',
      score: expect.any(Number),
    })
    const byMeaning = await get(`/search?q=${encodeURIComponent('Until what time may I leave my car?')}&limit=1`)
    expect(byMeaning.data.map(({ original_name }: { original_name: string }) => original_name)).toEqual(['garage.txt'])
    expect(JSON.stringify([byWords, byMeaning])).not.toContain('another agent')
  })

  test('a passage has its headings where it stands under any, and no such key elsewhere', async () => {
    await upload('guide.md', '# Guide\n\n## Cars\n\nThe garage closes at ten.')
    await upload('bikes.txt', 'The shed closes at nine.')
    const headings = (await get('/search?q=closes')).data.map((found: object) =>
      'heading' in found ? found.heading : 'no key',
    )
    expect(headings.toSorted()).toEqual(['Guide > Cars', 'no key'])
  })

  test('has of copies the best one, and what comes after them', async () => {
    const handbook = '# Parking\nThe parking garage closes at ten.\n\n# Bikes\nThe bike garage closes at nine.'
    for (const copy of Array(8).keys()) await upload(`copy-${copy}.md`, handbook)
    await upload('old.md', '# Old parking\nThe parking garage closes at ten.')
    await upload('note.txt', 'Ask at the desk when the garage is full.')
    const { data } = await get('/search?q=When+does+the+parking+garage+close&limit=5')
    const said = data.map(({ heading, text }: { heading?: string; text: string }) => [heading, text])
    expect(said).toHaveLength(4)
    expect(said.slice(0, 2).map(([, text]: string[]) => text)).toEqual(
      Array(2).fill('The parking garage closes at ten.'),
    )
    expect(said).toContainEqual(['Bikes', 'The bike garage closes at nine.'])
    expect(said).toContainEqual([undefined, 'Ask at the desk when the garage is full.'])
    const scores = data.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect((await get('/search?q=When+does+the+parking+garage+close&limit=1')).data).toEqual([data[0]])
  })

  test('is right after every upload and delete, on every instance', async () => {
    const second = clientOf(await testApp(), user.token)
    const names = async () => {
      const { data } = await get('/search?q=zebra', second)
      return data.map(({ original_name }: { original_name: string }) => original_name)
    }
    expect(await names()).toEqual([])
    const { data } = await upload('zoo.txt', 'A zebra has stripes.')
    expect(await names()).toEqual(['zoo.txt'])
    await user.send('DELETE', `/agents/${agent}/files/${data.id}`)
    expect(await names()).toEqual([])
  })

  test.each([
    ['', { q: ['The q field is required.'] }],
    ['?q=', { q: ['The q field is required.'] }],
    ['?q=a&limit=0', { limit: ['The limit field must be at least 1.'] }],
    ['?q=a&limit=21', { limit: ['The limit field must be at most 20.'] }],
  ])('%s is refused', async (query, errors) => {
    expect(await get(`/search${query}`)).toEqual({ status: 422, message: Object.values(errors)[0]?.[0], errors })
  })

  test('odd questions are harmless', async () => {
    await upload('a.txt', 'Something to find.')
    for (const q of ["'; drop table agents --", '& | ! ( )', 'the', '😀', ':*']) {
      expect((await get(`/search?q=${encodeURIComponent(q)}`)).status).toBe(200)
    }
  })
})

test('a turn answers from a file and cites it', async () => {
  await upload(
    'handbook.md',
    '# Parking\nThe parking garage closes at ten in the evening.\n\n# Lunch\nLunch is at noon.',
  )
  const chat = await user.data('POST', `/agents/${agent}/chats`, {})
  const turn = await user.post(`/agents/${agent}/chats/${chat.id}/messages`, {
    content: 'When does the parking garage close?',
  })
  expect(turn.status).toBe(201)
  const { content } = turn.body.data.assistant_message
  expect(content).toContain('ten in the evening')
  expect(content).toContain('handbook.md')
})

test('deleting the agent removes its files from storage', async () => {
  await upload('a.txt', 'x')
  const before = await storedFiles()
  await user.send('DELETE', `/agents/${agent}`)
  expect(await storedFiles()).toBe(before - 1)
})

const storedFiles = async () => {
  const keys = await storedFileKeys(app.database)
  const found = await Promise.all(keys.map((key) => app.services.files.get(key, { share: 'background' })))
  return found.filter(Boolean).length
}
