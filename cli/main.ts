#!/usr/bin/env bun
import { writeFile } from 'node:fs/promises'
import description from '../openapi.json'
import { isAsCode, runAsCode } from './as-code/command.ts'
import { completionScript, nextWords } from './completion.ts'
import { connectionFrom } from './connection.ts'
import { CommandError, usageError } from './error.ts'
import { operationHelp, overview, ownCommands } from './help.ts'
import { parsedArguments, prepare, readArguments } from './input.ts'
import { type OperationCommand, operationCommands } from './operations.ts'
import { keepProfile } from './profiles.ts'
import { send } from './send.ts'
import { forPeople } from './table.ts'
import { shown, shownJson } from './terminal.ts'

/** Commands that are programs of their own: they read what is left of the command line. */
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  migrate: () => import('../scripts/migrate.ts'),
  seed: () => import('../scripts/seed.ts'),
  user: () => import('../scripts/user.ts'),
  token: () => import('../scripts/token.ts'),
  backup: () => import('../scripts/backup.ts'),
  restore: () => import('../scripts/restore.ts'),
  move: () => import('../scripts/move.ts'),
  'rotate-secrets': () => import('../scripts/rotate-secrets.ts'),
}

const commands = operationCommands(description)

/** The command that the words begin with. */
function findCommand(args: readonly string[]): OperationCommand | undefined {
  return commands
    .filter(({ words }) => words.every((word, index) => args[index] === word))
    .sort((a, b) => b.words.length - a.words.length)[0]
}

async function runOperation(command: OperationCommand, args: string[]): Promise<void> {
  const { common, given } = readArguments(command, args)
  if (common.help) return console.log(operationHelp(command))
  const request = prepare(command, given, common.body)
  const response = await send(connectionFrom(common, process.env), command.method, request)
  if (command.download) {
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (common.output === undefined) process.stdout.write(bytes)
    else await writeFile(common.output, bytes)
    return
  }
  const body: unknown = await response.json()
  console.log(common.json ? shownJson(body) : shown(forPeople(body)))
}

const help = { type: 'boolean', short: 'h' } as const

async function start(args: string[]): Promise<void> {
  const { values } = parsedArguments({ args, options: { help } })
  if (values.help) console.log('Usage: switchboard start\n\nStarts the server. Its settings are environment variables.')
  else await import('../src/main.ts')
}

function login(args: string[]): void {
  const text = { type: 'string' } as const
  const { values } = parsedArguments({ args, options: { url: text, key: text, profile: text, help } })
  const usage = 'Usage: switchboard login --url <url> --key <token> [--profile <name>]'
  if (values.help) {
    console.log(usage)
    return
  }
  if (!values.url || !values.key) throw usageError(usage)
  const name = values.profile ?? 'default'
  const file = keepProfile(process.env, name, { url: values.url.replace(/\/+$/, ''), key: values.key })
  console.log(`The profile ${name} is kept in ${file}.`)
}

async function run(args: string[]): Promise<void> {
  const [first = '--help', ...rest] = args
  if (first === '--help' || first === '-h' || first === 'help') return console.log(overview(commands))
  if (first === '__complete') return console.log(nextWords(commands, rest).join('\n'))
  if (first === 'completion') return console.log(completionScript(rest[0]))
  if (first === 'start') return start(rest)
  if (first === 'login') return login(rest)
  if (isAsCode(first)) {
    process.exitCode = await runAsCode(first, rest, { env: process.env, print: (text) => console.log(shown(text)) })
    return
  }
  const program = programs[first]
  const command = findCommand(args)
  if (command) return runOperation(command, args.slice(command.words.length))
  if (program) {
    process.argv.splice(2, 1)
    await program()
    return
  }
  const near = nextWords(commands, args.slice(0, -1)).filter((word) => !word.startsWith('-'))
  const known = near.length > 0 && args.length > 1 ? near : Object.keys(ownCommands)
  throw usageError(`There is no command "${args.join(' ')}". Here go: ${known.join(', ')}.`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  console.error(shown(error.message))
  process.exitCode = error.exitCode
}
