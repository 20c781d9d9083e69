import { dirname, join } from 'node:path'

/** Compiles a file of WebAssembly, which is mapped and not copied into a buffer first. */
const compile = (file: string): Promise<WebAssembly.Module> => WebAssembly.compile(Bun.mmap(file, { shared: false }))

let compiling: Promise<WebAssembly.Module> | undefined

/**
 * The code of the embedded PostgreSQL, which threads of their own compile; once in a process. Imports nothing that
 * takes time to load, so that a start can begin with it. Rejects when the package's file cannot be read.
 */
export function compileEngine(): Promise<WebAssembly.Module> {
  if (compiling === undefined) {
    const folder = dirname(Bun.resolveSync('@electric-sql/pglite', import.meta.dirname))
    compiling = compile(join(folder, 'pglite.wasm'))
    // Whoever waits for it gets the error; a start that fails before has another one to tell.
    compiling.catch(() => {})
  }
  return compiling
}
