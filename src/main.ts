import { listenForStop } from './app/stop-signals.ts'
import { compileEngine } from './db/engine-code.ts'

// Before anything else: a signal during the start counts.
const signals = listenForStop()
// Compiling the embedded database takes longest of all that a start does, on threads of its own: it begins before
// anything else loads.
if (!process.env.DATABASE_URL?.trim()) compileEngine()
const { run } = await import('./app/run.ts')
await run(signals)
