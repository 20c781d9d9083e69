import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placesOf, plant, plantedBugs } from '../test/simulation/planted/bugs.ts'
import type { Found } from './run.ts'

const root = join(import.meta.dirname, '..')
/** What a copy needs to run the simulation. */
const copied = [
  'src',
  'simulation',
  'test/simulation/planted',
  'torture/random.ts',
  'drizzle',
  'package.json',
  'tsconfig.json',
]

export interface Caught {
  name: string
  found: Found
}

/** A copy of the code in a folder of its own. */
async function copyOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-planted-'))
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function runIn(folder: string, args: readonly string[]): Promise<Found> {
  const child = Bun.spawn([process.execPath, 'simulation/main.ts', '--json', ...args], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, problems] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  try {
    return JSON.parse(out)
  } catch {
    throw new Error(`A simulation with a planted bug did not run:\n${problems}`)
  }
}

/**
 * Plants one bug after the other in a copy of the code, and runs the simulation on it. `only` names a part of the bugs.
 * Throws when one no longer fits the code.
 */
export async function runPlanted(
  args: readonly string[],
  only: string | undefined,
  told: (caught: Caught) => void,
): Promise<void> {
  const folder = await copyOf()
  try {
    for (const bug of plantedBugs.filter(({ name }) => only === undefined || name.includes(only))) {
      for (const place of placesOf(bug)) {
        const file = Bun.file(join(folder, place.file))
        await Bun.write(file, plant(await file.text(), bug.name, place))
      }
      const { profile, seed, instances } = bug
      const own = Object.entries({ profile, seed, instances }).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, String(value)],
      )
      told({ name: bug.name, found: await runIn(folder, [...args, ...own]) })
      for (const { file } of placesOf(bug)) await cp(join(root, file), join(folder, file))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
