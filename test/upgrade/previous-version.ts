import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'ignore' })
const said = (...args: string[]) =>
  git(...args)
    .stdout.toString()
    .trim()

/**
 * The version that comes before the tables of this one: the last release, or where there is none whose tables differ,
 * the commit before the newest migration. Undefined without the history.
 */
export function previousVersion(): string | undefined {
  const [release] = said('tag', '--list', 'v*', '--sort=-v:refname', '--merged', 'HEAD').split('\n')
  if (release && git('diff', '--quiet', release, 'HEAD', '--', 'drizzle').exitCode === 1) return release
  const newest = said('log', '-1', '--format=%H', '--diff-filter=A', '--', 'drizzle/*.sql')
  return newest === '' ? undefined : said('rev-parse', '--verify', '--quiet', `${newest}^`) || undefined
}

/** Lays the sources of a version into a folder, with the packages of this one. Returns its program. */
export function layOut(version: string, folder: string): string {
  mkdirSync(folder)
  const archive = git('archive', version, 'src', 'drizzle', 'docs', 'openapi.json', 'package.json')
  if (archive.exitCode !== 0) throw new Error(`The sources of ${version} could not be read`)
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: archive.stdout })
  if (unpacked.exitCode !== 0) throw new Error(`The sources of ${version} could not be unpacked`)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'src/main.ts')
}
