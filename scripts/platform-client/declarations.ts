import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

/** The declarations of the platform's official client, without comments, by the name of their type. */
export async function declarations(): Promise<Map<string, string>> {
  const root = fileURLToPath(new URL('../../node_modules/@vapi-ai/server-sdk/dist/cjs/api/', import.meta.url))
  const found = new Map<string, string>()
  for (const pattern of ['types/*.d.ts', 'resources/*/types/*.d.ts', 'resources/*/client/requests/*.d.ts']) {
    for await (const file of new Glob(pattern).scan(root)) {
      const text = await Bun.file(`${root}${file}`).text()
      found.set(basename(file, '.d.ts'), text.replace(/\/\*.*?\*\//gs, ''))
    }
  }
  return found
}
