import { endAll } from './endings.ts'
import { growth } from './growth/growth.ts'
import { instances } from './instances/instances.ts'
import { readOptions, usage } from './options.ts'
import { rolling } from './rolling/rolling.ts'
import { vectors } from './vectors/vectors.ts'

/** Of one agent, in thousands. */
const passages = 50

/** Progress goes to standard error, so that standard output has the tables alone. */
const say = (text: string) => console.error(text)

let brokenOff = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    brokenOff = true
    void endAll().finally(() => process.exit(130))
  })
}
try {
  const { help, only, size } = readOptions()
  if (help) console.log(usage)
  else {
    if (only.has('growth')) console.log(await growth(size, say))
    if (only.has('vectors')) console.log(await vectors(passages, say))
    if (only.has('rolling')) console.log(await rolling(say))
    if (only.has('instances')) console.log(await instances(say))
  }
} catch (error) {
  if (!brokenOff) console.error(error instanceof Error ? error.message : 'The measuring failed')
  process.exitCode = 1
}
