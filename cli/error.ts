/** What was asked for is wrong, or cannot be done; the message is for the person at the terminal. */
export class CommandError extends Error {
  /** 2 for a command that is written wrongly, 1 for everything else. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** A command that is written wrongly. */
export const usageError = (message: string) => new CommandError(`${message}\nSee --help.`, 2)
