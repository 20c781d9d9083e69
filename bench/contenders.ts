import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { node } from './node.ts'
import type { Face } from './requests.ts'

/** A server under measurement. */
export interface Contender {
  name: string
  face: Face
  server: Child
}

const folder = join(import.meta.dirname, 'contenders')
const bun = process.execPath

/** Node runs no TypeScript of ours: a server for it is bundled. */
async function bundledForNode(name: string, outdir: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(folder, `${name}.ts`)],
    target: 'node',
    outdir,
    naming: `${name}.mjs`,
    external: ['pg-native'],
  })
  const [bundle] = outputs
  if (!bundle) throw new Error(`The ${name} server could not be bundled`)
  return bundle.path
}

/** The file of a contender. */
export const script = (name: string) => join(folder, `${name}.ts`)

export const bareName = 'Bun.serve + postgres.js by hand'
export const restName = 'Switchboard, REST'
export const rpcName = 'Switchboard, tRPC'

/** Starts every contender on a database, each as a process of its own; the hand-written baseline comes first. */
export async function startContenders(url: string, scratch: string): Promise<Contender[]> {
  const start = async (name: string, face: Face, runtime: string, path: string): Promise<Contender> => ({
    name,
    face,
    server: await startChild(runtime, path, [url], 0),
  })
  const contenders = [
    await start(bareName, 'rest', bun, script('bare')),
    await start(restName, 'rest', bun, script('switchboard')),
    await start(rpcName, 'rpc', bun, script('switchboard')),
    await start('Switchboard, tRPC, 10 calls a batch', 'rpc-batch', bun, script('switchboard')),
  ]
  contenders.push(await start('Hono + drizzle + pg on Bun', 'rest', bun, script('hono')))
  if (!node) return contenders
  for (const [name, file] of [['Fastify', 'fastify'] as const, ['Express', 'express'] as const]) {
    const bundle = await bundledForNode(file, scratch)
    contenders.push(await start(`${name} + drizzle + pg on Node`, 'rest', node.path, bundle))
  }
  return contenders
}

/** This server's REST face with few procedures, and with many. */
export async function startFewAndMany(url: string): Promise<Contender[]> {
  const start = async (procedures: 'few' | 'many'): Promise<Contender> => ({
    name: procedures,
    face: 'rest',
    server: await startChild(bun, script('procedures'), [url, procedures], 0),
  })
  return [await start('few'), await start('many')]
}

/** This server alone, on another database. */
export async function startSwitchboard(name: string, url: string): Promise<Contender> {
  return { name, face: 'rest', server: await startChild(bun, script('switchboard'), [url], 0) }
}
