import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/** A line of a trace in the bundle that `bun run start` makes. */
const bundled = /(\/.*\/dist\/server\/[\w-]+\.js):(\d+):(\d+)/g

/** The map of a file of the bundle. */
export const mapOf = (file: string): string => `${file}.places.json`

/** Each is read when the first error comes up in its file. */
const maps = new Map<string, SourceMap | undefined>()

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(mapOf(file), 'utf8')))
  } catch {
    return undefined
  }
}

function knownMap(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

function placeInBundle(stack: string): string | undefined {
  for (const [, file = '', line, column] of stack.matchAll(bundled)) {
    const entry = knownMap(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) continue
    const source = /^(?:\.\.\/)+(src\/.+)$/.exec(entry.originalSource)?.[1]
    if (source !== undefined) return `${source}:${entry.originalLine + 1}`
  }
  return undefined
}

/** Where in our own source an error came up: one file and line, not a trace. */
export function placeOf({ stack = '' }: Error): string | undefined {
  return placeInBundle(stack) ?? /\/(src\/[\w./-]+:\d+):\d+/.exec(stack)?.[1]
}
