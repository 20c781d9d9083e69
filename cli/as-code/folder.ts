import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/json/object.ts'
import { CommandError } from '../error.ts'
import { type Kind, kinds, type Local } from './document.ts'
import { fromYaml, toYaml } from './yaml.ts'

/** Which of the server's resources each file stands for; a folder can be used with another server, too. */
export interface Links {
  server: string
  /** Ids by keys such as `assistants/front-desk`. */
  ids: Record<string, string>
}

const linksFile = '.switchboard.yaml'
const ending = '.yaml'

/** Throws CommandError for a name of the server's that leads to another folder. */
function fileOf(folder: string, { kind, slug }: Pick<Local, 'kind' | 'slug'>): string {
  if (/[/\\]/.test(slug)) throw new CommandError(`The server has ${kind} called "${slug}", which is no name of a file.`)
  return join(folder, kind, `${slug}${ending}`)
}
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new CommandError(`${file} cannot be read.`)
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw new CommandError(`${folder} cannot be read.`)
  }
}

/** Every file of a folder, by kind and name. Throws CommandError for a folder without any, and for what is no YAML. */
export function readFolder(folder: string): Local[] {
  const read = (kind: Kind) =>
    namesIn(join(folder, kind)).map((name): Local => {
      const file = join(folder, kind, name)
      return { kind, slug: name.slice(0, -ending.length), document: fromYaml(file, textOf(file) ?? '') }
    })
  return kinds.flatMap(read)
}

/** What the files stand for on this server; nothing is known of another one. */
export function readLinks(folder: string, server: string): Links {
  const text = textOf(join(folder, linksFile))
  const read = text === undefined ? {} : fromYaml(linksFile, text)
  if (read.server !== server || !isObject(read.ids)) return { server, ids: {} }
  return { server, ids: Object.fromEntries(Object.entries(read.ids).map(([key, id]) => [key, String(id)])) }
}

/** Writes files, takes away those of `gone`, and says what each stands for. */
export function writeFolder(folder: string, locals: Local[], gone: Pick<Local, 'kind' | 'slug'>[], links: Links): void {
  for (const local of locals) {
    mkdirSync(join(folder, local.kind), { recursive: true })
    writeFileSync(fileOf(folder, local), toYaml(local.document))
  }
  for (const local of gone) rmSync(fileOf(folder, local), { force: true })
  writeLinks(folder, links)
}

/** Keeps what each file stands for. */
export function writeLinks(folder: string, { server, ids }: Links): void {
  mkdirSync(folder, { recursive: true })
  const sorted = Object.fromEntries(Object.entries(ids).sort(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(join(folder, linksFile), toYaml({ server, ids: sorted }))
}
