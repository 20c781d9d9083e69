import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a started single file says until it is ready. Throws when it ends before. */
async function untilReady(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stdout
    .pipeThrough<string>(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let said = ''
  while (!said.includes('\ncurl ')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`It ended before it was ready:\n${said}`)
    said += value
  }
  return said
}

const expect = (what: string, holds: boolean) => {
  if (!holds) throw new Error(`The single file fails: ${what}.`)
}

/**
 * Starts a single file in an empty folder, with nothing on its PATH, and uses what it carries: the embedded database,
 * migrations, the console, the widget and the built-in model. Throws when one of them fails.
 */
export async function checkSingleFile(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-single-file-'))
  const env = { HOME: folder, PORT: '0', DATA_DIR: join(folder, 'data') }
  const child = Bun.spawn([file], { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  try {
    const said = await untilReady(child.stdout)
    const url = /ready at (\S+)/.exec(said)?.[1] ?? ''
    const key = /admin key +(\S+)/.exec(said)?.[1] ?? ''
    for (const path of ['/health/ready', '/console', '/widget.js', '/docs', '/openapi.json']) {
      expect(`GET ${path}`, (await fetch(`${url}${path}`)).ok)
    }
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(`POST ${path} is ${response.status}`, response.ok)
      return response.json()
    }
    await post('/assistants', { name: 'Front desk' })
    const { data: agent } = await post('/agents', { name: 'Support', instructions: 'We deliver on Mondays.' })
    const form = new FormData()
    form.set('file', new File(['Parcels are handed over before noon.'], 'hours.txt'))
    const headers = { authorization: `Bearer ${key}` }
    const uploaded = await fetch(`${url}/agents/${agent.id}/files`, { method: 'POST', headers, body: form })
    expect('the upload', uploaded.ok)
    const messages = [{ role: 'user', content: 'When do you deliver?' }]
    const reply = await post('/chat/completions', { agent: agent.id, messages })
    expect('the reply', reply.choices[0].message.content.includes('Mondays'))
    let indexed = false
    for (let tries = 0; tries < 600 && !indexed; tries++) {
      const { data: files } = await (await fetch(`${url}/agents/${agent.id}/files`, { headers })).json()
      indexed = files[0].vector_count > 0
      if (!indexed) await Bun.sleep(200)
    }
    expect('the embedder, which indexes files by meaning', indexed)
    const help = Bun.spawnSync([file, 'assistants', 'list', '--url', url, '--json'], { env, cwd: folder })
    expect('its command', help.stdout.toString().includes('Front desk'))
    child.kill('SIGTERM')
    expect('the end', (await child.exited) === 0)
  } finally {
    child.kill('SIGKILL')
    await child.exited
    await rm(folder, { recursive: true, force: true })
  }
}
