/** What a command may touch of the world outside it. */
export interface CommandContext {
  /** postgres://user:password@host:port/database */
  databaseUrl: string;
  now: () => number;
  /** One line for the reader, or for the program behind `--json`. */
  stdout: (line: string) => void;
  /** One line about what is going on or went wrong. */
  stderr: (line: string) => void;
  /** Aborted when the command should stop. */
  signal: AbortSignal;
  /** The transport of commands that speak HTTP; the global fetch unless a test brings its own. */
  fetch?: typeof fetch;
  /** Settings that are secrets and so do not belong on a command line; the process's own unless a test brings some. */
  env?: Record<string, string | undefined>;
}

export interface Command {
  /** one line, for the overview */
  summary: string;
  /** the forms in which it can be typed, without the `npm run service --` before them */
  usage: string[];
  /** what it does and every option, for `help COMMAND` */
  details: string[];
  /** Resolves to the exit code. @throws CommandUsageError, CommandFailure */
  run(argv: string[], context: CommandContext): Promise<number>;
}

/** The command was typed wrongly: the message says what was wrong, and the usage how to do it right. Exit code 2. */
export class CommandUsageError extends Error {
  override name = 'CommandUsageError';
}

/** The command could not do what was asked, for a reason that the reader can act on. Exit code 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
}

/** Resolves once the signal is aborted; at once where it is already. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
