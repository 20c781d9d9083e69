import { buildConsole } from '../src/app/console/build.ts'

/** Builds the console into dist/console, unless it is there already; part of `bun run start`. */
try {
  if (await buildConsole()) console.log('The console is built.')
} catch (error) {
  console.error(error instanceof AggregateError ? error.errors.map(String).join('\n') : error)
  console.error('The console could not be built; the server starts without it.')
}
