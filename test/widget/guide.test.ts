import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'
import { listening } from '../support/listening.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/widget.md'), 'utf8')
const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block)

test('the commands of the guide do what it says', async () => {
  const app = await testApp()
  const { url, stop } = listening(app)
  try {
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands.join("echo; echo '===='\n")], {
      env: { ...process.env, URL: url, KEY: (await newUser(app.database)).token },
      stdout: 'pipe',
    })
    const [, tag, rotated, answer, size] = (await new Response(shell.stdout).text())
      .split('====')
      .map((part) => part.trim())
    expect(await shell.exited).toBe(0)
    expect(tag).toMatch(/^<script src="[^"]*\/widget\.js" .*<\/script>$/)
    expect(JSON.parse(rotated ?? '')).toMatchObject({ success: true })
    expect(JSON.parse(answer ?? '')).toEqual({
      session_id: expect.any(String),
      reply: 'Our rye bread costs four euros.',
    })
    expect(Number(size)).toBeLessThan(14_000)
  } finally {
    await stop()
  }
})
