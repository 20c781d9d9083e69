import { OptionError, readOptions, usage } from './options.ts'
import { torture } from './torture.ts'

const breaking = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => breaking.abort())

try {
  const options = readOptions()
  if (options) {
    console.log(`seed ${options.seed}`)
    const { line, well, folder } = await torture(options, (text) => console.log(text), breaking.signal)
    if (!well) {
      console.log(`logs are in ${folder}`)
      process.exitCode = 1
    }
    console.log(line)
  } else {
    console.log(usage)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof OptionError ? 2 : 1
}
// Clients of a run that was broken off would go on.
process.exit()
