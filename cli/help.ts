import { flagOf } from './input.ts'
import type { OperationCommand } from './operations.ts'

/** The commands that are no operations, with what each does. */
export const ownCommands: Readonly<Record<string, string>> = {
  start: 'starts the server',
  migrate: 'brings the database to this version',
  seed: 'fills a running server with a demo workspace',
  user: 'makes or changes a user on a running server',
  token: 'makes, lists or revokes tokens on a running server',
  backup: 'writes the database and the files into one archive, or verifies one',
  restore: 'makes the database and the files what an archive says',
  move: 'moves everything from the embedded database to PostgreSQL, or back',
  'rotate-secrets': 'seals every stored secret with the first key of SECRETS_KEY',
  pull: 'writes a workspace to a folder of files, one for each assistant, squad, agent and number',
  plan: 'says what applying such a folder would change',
  apply: 'makes the workspace what such a folder says',
  login: 'keeps a server and a token as a profile',
  completion: 'prints a script that completes commands in bash or zsh',
}

export const commonHelp = `  --url      the server (default: SWITCHBOARD_URL, or http://127.0.0.1:3000)
  --key      the token to send (default: SWITCHBOARD_KEY, a profile, or the local server's DATA_DIR/admin-api-key)
  --profile  a server and token kept by "switchboard login" (default: SWITCHBOARD_PROFILE, or "default")
  --json     prints the response as it is
  --help     shows this text`

const padded = (rows: [string, string][]) => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`.trimEnd()).join('\n')
}

/** What there is. */
export function overview(commands: OperationCommand[]): string {
  const groups = [...new Set(commands.map(({ words }) => words.slice(0, -1).join(' ')))]
  const actions = (group: string) =>
    commands.filter(({ words }) => words.slice(0, -1).join(' ') === group).map(({ words }) => words.at(-1) ?? '')
  return `Usage: switchboard <command> [options]

${padded(Object.entries(ownCommands))}

Every procedure of the API by its name, such as "switchboard assistants list --search desk":

${padded(groups.map((group) => [group, actions(group).join(', ')]))}

"switchboard <command> --help" says more.
${commonHelp}`
}

/** One operation's flags. */
export function operationHelp({ words, summary, method, path, fields }: OperationCommand): string {
  const values: Record<string, string> = {
    number: ' <number>',
    json: ' <JSON or @file>',
    file: ' <file>',
    text: ' <text>',
  }
  const rows = fields.map((field): [string, string] => [
    `--${flagOf(field)}${values[field.type] ?? ''}`,
    `${field.required ? 'required. ' : ''}${field.description}`.trim(),
  ])
  const positional = fields.filter((field) => field.in === 'path').map((field) => ` <${flagOf(field)}>`)
  const hasBody = fields.some((field) => field.in === 'body')
  return `Usage: switchboard ${words.join(' ')}${positional.join('')} [options]

${summary} (${method} ${path})
${rows.length > 0 ? `\n${padded(rows)}\n` : ''}${hasBody ? '\n  --body     the whole body: JSON, @file, or - for the standard input\n' : '\n'}${commonHelp}`
}
