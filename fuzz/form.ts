import type { Described } from './description.ts'
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'
import { type Material, sample } from './sample.ts'

const bytesOf = (random: Random): Buffer =>
  random.pick([
    Buffer.from('We open at nine and close at five.'),
    Buffer.alloc(0),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from('%PDF-1.7\n%\u00ff\n1 0 obj <</Length 99999>> stream'),
    Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
    Buffer.alloc(random.pick([10, 70_000]), 0x61),
  ])

const names: readonly [string, ...string[]] = [
  'hours.txt',
  'guide.md',
  'picture.png',
  'scan.pdf',
  'table.csv',
  'noextension',
  '../../etc/passwd.txt',
  'a\u0000.txt',
  '.txt',
  `${'n'.repeat(400)}.txt`,
  '\u202etxt.exe',
  'x.TXT',
]

/** A form of an operation's fields; one in six is no form at all. */
export function multipart(material: Material, { bodies }: Described): { type: string; body: Uint8Array<ArrayBuffer> } {
  const { random, description } = material
  const boundary = '----fuzz'
  const parts: Buffer[] = []
  const fields = description.resolve(bodies['multipart/form-data']?.schema ?? {}).properties ?? {}
  const add = (disposition: string, content: Buffer, type = '') => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${type}\r\n`
    parts.push(Buffer.from(head), content, Buffer.from('\r\n'))
  }
  for (const [field, schema] of Object.entries(fields)) {
    const { format } = description.resolve(schema)
    const isFile = format === 'binary' || /file|picture/.test(field)
    if (!isFile && random.chance(0.5)) continue
    if (isFile && random.chance(0.85)) {
      const name = random.pick(names).replaceAll('"', '%22')
      const type = random.pick([
        '',
        'content-type: text/plain\r\n',
        'content-type: image/png\r\n',
        'content-type: \u0000\r\n',
      ])
      add(`name="${field}"; filename="${name}"`, bytesOf(random), type)
    } else {
      const value = random.chance(0.6) ? String(sample(material, schema, field)) : hostileText(random)
      add(`name="${field}"`, Buffer.from(value))
    }
  }
  if (random.chance(0.1))
    add(`name="${random.pick(['__proto__', 'constructor', '', 'file', 'agent_id'])}"`, Buffer.from('x'))
  const end = Buffer.from(random.chance(0.92) ? `--${boundary}--\r\n` : random.pick(['', `--${boundary}`, '--']))
  const whole = Buffer.concat([...parts, end])
  if (random.chance(0.08)) return { type: 'multipart/form-data; boundary=another', body: whole }
  if (random.chance(0.08))
    return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.from(hostileText(random)) }
  return { type: `multipart/form-data; boundary=${boundary}`, body: whole }
}
