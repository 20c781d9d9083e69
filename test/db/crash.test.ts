import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { embeddedTemplate } from '../support/database.ts'

const CLIENT_MODULE = join(import.meta.dirname, '../../src/db/client.ts')

test('an embedded database that is killed while writing and vacuuming opens at once and has every acknowledged row', async ({
  skip,
}) => {
  const template = embeddedTemplate()
  if (!template) return skip('needs the template of the embedded database')
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-crash-'))
  try {
    const first = await openDatabase({ dataDir, template })
    await first.sql`create table acknowledged (n int primary key)`
    await first.close()

    const writer = Bun.spawn([process.execPath, '-e', writerScript(dataDir)], { stdout: 'pipe', stderr: 'inherit' })
    let output = ''
    for await (const chunk of writer.stdout) {
      output += new TextDecoder().decode(chunk)
      if (output.split('\n').length > 300) writer.kill('SIGKILL')
    }
    await writer.exited
    const acknowledged = output.split('\n').slice(0, -1).map(Number)

    const second = await openDatabase({ dataDir })
    const found = await second.sql<{ n: number }[]>`select n from acknowledged`
    const missing = new Set(acknowledged).difference(new Set(found.map((row) => row.n)))
    expect([...missing]).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(200)
    await second.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

/** Inserts rows one after the other, and prints the number of each that was acknowledged; vacuums them now and then. */
function writerScript(dataDir: string): string {
  return `
    import { writeSync } from 'node:fs'
    import { openDatabase } from ${JSON.stringify(CLIENT_MODULE)}
    const { sql } = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} })
    for (let n = 0; ; n++) {
      await sql\`insert into acknowledged values (\${n})\`
      writeSync(1, n + '\\n')
      if (n % 20 === 0) await sql\`vacuum acknowledged\`
    }`
}
