import { usageError } from './error.ts'
import { ownCommands } from './help.ts'
import { flagOf } from './input.ts'
import type { OperationCommand } from './operations.ts'

/** What may come next after the words that are typed already. */
export function nextWords(commands: OperationCommand[], typed: readonly string[]): string[] {
  const words = typed.filter((word) => !word.startsWith('-'))
  const exact = commands.find((command) => command.words.every((word, index) => words[index] === word))
  if (exact) return ['--json', '--help', ...exact.fields.map((field) => `--${flagOf(field)}`)]
  const own = words.length === 0 ? Object.keys(ownCommands) : []
  const next = commands
    .filter((command) => words.every((word, index) => command.words[index] === word))
    .map((command) => command.words[words.length] ?? '')
  return [...new Set([...own, ...next])].filter(Boolean)
}

const bash = `_switchboard() {
  local words="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$(switchboard __complete $words)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _switchboard switchboard`

const zsh = `_switchboard() {
  local -a found
  found=(\${(f)"$(switchboard __complete \${words[2,CURRENT-1]})"})
  compadd -a found
}
compdef _switchboard switchboard`

/** The script that lets a shell complete commands. */
export function completionScript(shell: string | undefined): string {
  if (shell === 'bash') return bash
  if (shell === 'zsh') return zsh
  throw usageError('Usage: switchboard completion bash|zsh')
}
