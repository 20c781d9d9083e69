import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnv } from '../../src/app/env.ts'
import { type RunningServer, startServer } from '../../src/app/server.ts'
import { Variables } from '../../src/app/settings/variables.ts'
import { credentialHeaders } from '../../src/webhooks/credentials.ts'
import { mcpServer, type TestMcpServer } from '../connectors/mcp-server.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['start', 'rest', 'trpc', 'webhooks', 'agents', 'operating']
const timeout = 60_000

const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Block {
  language: string
  code: string
}

const blocksOf = (page: string): Block[] =>
  [...read(`docs/${page}.md`).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))

/** The file that a listing names in its first line. */
const fileName = ({ code }: Block) => /^(?:\/\/|#) ([\w.-]+\.\w+)/.exec(code)?.[1]

/** What a page shows: `...` is anything, white space counts for nothing. */
const shown = (text: string) => new RegExp(text.replace(/\s+/g, '').split('...').map(RegExp.escape).join('[^]*?'))

let folder: string
let server: RunningServer
let tools: TestMcpServer
let receiverPort: number

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** The pages' places outside, as they are here. */
const here = (text: string) =>
  text.replaceAll('8787', String(receiverPort)).replaceAll('https://tools.example.com/mcp', tools.url)

beforeAll(async () => {
  tools = mcpServer()
  receiverPort = await freePort()
  folder = mkdtempSync(join(tmpdir(), 'switchboard-guides-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  linkPrograms(join(folder, 'bin'))
  server = await startServer(
    readEnv({
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_NETWORK: '127.0.0.1',
      WEBHOOK_CREDENTIALS: 'shop:hmac:key-of-the-shop',
    }),
  )
  for (const page of pages) {
    mkdirSync(join(folder, page))
    if (page === 'trpc') linkClient(join(folder, page))
    for (const block of blocksOf(page)) {
      const name = fileName(block)
      if (name) writeFileSync(join(folder, page, name), here(block.code))
    }
  }
}, timeout)

/** A machine that has npx and no bun, with the one version that the guides name. */
function linkPrograms(bin: string): void {
  mkdirSync(bin)
  const program = (name: string, lines: string[]) =>
    writeFileSync(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
  program('npx', ['[ "$1 $2" = "-y bun@1.4.5" ] || exit 64', 'shift 2', `exec '${process.execPath}' "$@"`])
  program('bun', ['echo "bun: not found" >&2', 'exit 127'])
}

/** The client package where a project would have it. */
function linkClient(project: string): void {
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(join(root, 'packages/client'), join(project, 'node_modules/switchboard-client'))
}

afterAll(async () => {
  await server?.stop()
  await tools?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program in the folder of a page; whatever it left running ends with it. */
async function run(page: string, command: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: join(folder, page),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      NO_COLOR: '1',
      URL: server.url,
      KEY: server.adminKey,
    },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  }
  const deadline = setTimeout(endGroup, timeout - 5_000)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('exit', resolve)
      child.on('error', reject)
    })
    endGroup()
    await Promise.all([child.stdout, child.stderr].map((stream) => stream.closed || Bun.sleep(50)))
    return { code, out, err }
  } finally {
    clearTimeout(deadline)
  }
}

const mark = '=== next block ==='

test.each(pages)(
  '%s: its commands run, and answer what the page shows',
  async (page) => {
    const blocks = blocksOf(page)
    const commands = blocks.flatMap((block, index) => (block.language === 'sh' ? [{ ...block, index }] : []))
    const script = commands.map(({ code }) => here(code)).join(`\necho; echo '${mark}'\n`)
    const { code, out, err } = await run(page, ['bash', '-euo', 'pipefail', '-c', script])
    const outputs = out.split(mark)
    expect({ code, last: code === 0 ? '' : outputs.at(-1), err: code === 0 ? '' : err }).toEqual({
      code: 0,
      last: '',
      err: '',
    })
    for (const [position, { index }] of commands.entries()) {
      const next = blocks[index + 1]
      if (next && ['json', 'text'].includes(next.language)) {
        expect(outputs[position]?.replace(/\s+/g, '')).toMatch(shown(here(next.code)))
      }
    }
  },
  timeout,
)

// That of trpc.md, which needs the types of every procedure, is run above; test/typed-client.test.ts checks those.
test(
  'the TypeScript of the pages has the types that it says',
  async () => {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { incremental: false, tsBuildInfoFile: null },
      include: pages.filter((page) => page !== 'trpc').map((page) => join(folder, page, '*.ts')),
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect(await run('.', [join(root, 'node_modules/.bin/tsc'), '-p', folder])).toEqual({ code: 0, out: '', err: '' })
  },
  timeout,
)

describe('the code that checks webhooks', () => {
  const key = 'key-of-the-shop'
  const body = '{"message":{"type":"status-update","text":"Grüße"}}'
  const now = new Date('2026-05-01T12:00:00Z')
  const late = new Date(now.getTime() + 301_000)
  const signed = credentialHeaders({ kind: 'hmac', secret: key }, body, now)
  const longer = { ...signed, 'x-signature': `${signed['x-signature']}00` }

  /** Headers and body, the time at the receiver, and whether they are genuine. */
  const signatures: [headers: Record<string, string>, body: string, at: Date, expected: boolean][] = [
    [signed, body, now, true],
    [signed, `${body} `, now, false],
    [signed, body, late, false],
    [{ ...signed, 'x-timestamp': String(late.getTime()) }, body, late, false],
    [longer, body, now, false],
    [{}, body, now, false],
  ]
  const secrets: [headers: Record<string, string>, expected: boolean][] = [
    [{ 'x-vapi-secret': 'hush' }, true],
    [{ 'x-vapi-secret': 'hush!' }, false],
    [{}, false],
  ]
  const expected = [...signatures.map((row) => row[3]), ...secrets.map((row) => row[1])]

  test('in TypeScript', async () => {
    const { hasSecret, isSigned } = await import(join(folder, 'webhooks/verify.ts'))
    const answers = [
      ...signatures.map(([headers, text, at]) => isSigned(new Headers(headers), text, key, at.getTime())),
      ...secrets.map(([headers]) => hasSecret(new Headers(headers), 'hush')),
    ]
    expect(answers).toEqual(expected)
  })

  test.skipIf(Bun.which('python3') === null)('in Python', async () => {
    const cases = JSON.stringify({ signatures: signatures.map(([h, b, at]) => [h, b, at.getTime()]), secrets })
    writeFileSync(join(folder, 'webhooks/cases.json'), cases)
    const program = `
import json
from verify import has_secret, is_signed
cases = json.load(open('cases.json', encoding='utf8'))
answers = [is_signed(h, b.encode(), '${key}', at) for h, b, at in cases['signatures']]
print(json.dumps(answers + [has_secret(h, 'hush') for h, _ in cases['secrets']]))`
    const { out, err } = await run('webhooks', ['python3', '-c', program])
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual(expected)
  })

  test.skipIf(Bun.which('go') === null)(
    'in Go',
    async () => {
      const headerOf = (headers: Record<string, string>) =>
        `header(${JSON.stringify(Object.entries(headers).flat()).slice(1, -1)})`
      const rows = [
        ...signatures.map(
          ([headers, text, at]) =>
            `IsSigned(${headerOf(headers)}, []byte(${JSON.stringify(text)}), "${key}", time.UnixMilli(${at.getTime()}))`,
        ),
        ...secrets.map(([headers]) => `HasSecret(${headerOf(headers)}, "hush")`),
      ]
      const program = `package webhooks

import (
	"net/http"
	"reflect"
	"testing"
	"time"
)

func header(pairs ...string) http.Header {
	made := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		made.Set(pairs[i], pairs[i+1])
	}
	return made
}

func TestVerify(t *testing.T) {
	answers := []bool{
		${rows.join(',\n\t\t')},
	}
	if !reflect.DeepEqual(answers, []bool{${expected.join(', ')}}) {
		t.Fatal(answers)
	}
}
`
      writeFileSync(join(folder, 'webhooks/verify_test.go'), program)
      writeFileSync(join(folder, 'webhooks/go.mod'), 'module webhooks\n\ngo 1.21\n')
      const { code, out, err } = await run('webhooks', ['go', 'test', './...'])
      expect({ code, said: code === 0 ? '' : out + err }).toEqual({ code: 0, said: '' })
    },
    timeout,
  )
})

test('every setting is explained', () => {
  const settings = Object.keys(Variables.shape)
  const explained = read('README.md') + read('docs/operating.md')
  expect(settings.length).toBeGreaterThan(20)
  expect(settings.filter((name) => !explained.includes(`\`${name}`))).toEqual([])
})

test('links lead to pages that exist', () => {
  const docs = join(root, 'docs')
  for (const page of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
    const links = [...read(`docs/${page}`).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, to]) => to)
    expect(links.filter((to) => !existsSync(join(docs, String(to))))).toEqual([])
  }
})
