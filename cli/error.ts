/** What was asked for is wrong, or cannot be done; the message is for the person at the terminal. */
export class CommandError extends Error {
  /**
   * @param exitCode 2 for a command that is written wrongly, 1 for everything else
   * @param status that of the server's refusal, where it refused
   */
  constructor(
    message: string,
    readonly exitCode = 1,
    readonly status?: number,
  ) {
    super(message)
  }
}

/** A command that is written wrongly. */
export const usageError = (message: string) => new CommandError(`${message}\nSee --help.`, 2)
