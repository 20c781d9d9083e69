import { join } from 'node:path'
import { Glob } from 'bun'
import type { Json } from '../../json/object.ts'
import { type Encoded, encoded, encodedResponse, once } from '../http/asset.ts'
import type { Handler } from '../http/path.ts'
import { unknownPath } from '../rpc/handler.ts'
import { describedIn, type Guide, llmsText, operationMarkdown } from './markdown.ts'

const folder = join(import.meta.dirname, '../../../docs')

/** The guides, which lie beside the sources; those for developers are not among them. */
async function readGuides(): Promise<Guide[]> {
  const names = [...new Glob('*.md').scanSync({ cwd: folder })].filter((name) => name !== 'architecture.md').sort()
  return Promise.all(
    names.map(async (name) => ({ name: name.replace(/\.md$/, ''), text: await Bun.file(join(folder, name)).text() })),
  )
}

const markdown = 'text/markdown; charset=utf-8'

/** The pages under one path, by their names, made when one is first asked for. */
function pages(load: () => Promise<[name: string, text: string][]>): Handler {
  const texts = once(async () => new Map((await load()).map(([name, text]) => [`${name}.md`, text])))
  const packed = new Map<string, Promise<Encoded>>()
  return async (request, ctx, path) => {
    const { page = '' } = path
    const text = (await texts()).get(page)
    if (text === undefined) return unknownPath(request, ctx, path)
    const made = packed.get(page) ?? encoded(text, markdown)
    packed.set(page, made)
    return encodedResponse(request, ctx, await made)
  }
}

/** `GET /llms.txt`, and the guides and operations that it lists, as Markdown. */
export function textRoutes(describe: () => Promise<Json>): [path: string, handler: Handler][] {
  const list = once(async () => encoded(llmsText(await describe(), await readGuides()), 'text/plain; charset=utf-8'))
  return [
    ['/llms.txt', async (request, ctx) => encodedResponse(request, ctx, await list())],
    ['/docs/guides/:page', pages(async () => (await readGuides()).map(({ name, text }) => [name, text]))],
    [
      '/docs/operations/:page',
      pages(async () => describedIn(await describe()).map((entry) => [entry.id, operationMarkdown(entry)])),
    ],
  ]
}
