import type { Readable } from 'node:stream';

/** Everything outside a command that it uses. */
export interface CommandContext {
  /** postgres://user:password@host:port/database */
  databaseUrl: string;
  now: () => number;
  /** One line for the reader, or for the program behind `--json`. */
  stdout: (line: string) => void;
  /** One line about progress or a failure. */
  stderr: (line: string) => void;
  /** Aborted when the command should stop. */
  signal: AbortSignal;
  /** Input of a command that reads `-`; that of the process by default. */
  stdin?: Readable;
  /** HTTP transport; the global fetch by default. */
  fetch?: typeof fetch;
  /** Records a past of the demo fleet for the map; false if it has one. Absent where the application is not installed. */
  recordPast?: (past: { units: number; seed: number; hours: number }) => Promise<boolean>;
  /** Environment variables; those of the process by default. */
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

/** The command line is wrong; the message has the reason, and the usage follows it. Exit code 2. */
export class CommandUsageError extends Error {
  override name = 'CommandUsageError';
}

/** The command failed for a reason that the user can act on. Exit code 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
}

type Run = (argv: string[], context: CommandContext) => Promise<number>;

/** Runs the subcommand that the first word names. @throws CommandUsageError */
export const runSubcommand = (
  subcommands: Record<string, Run>,
  argv: string[],
  context: CommandContext,
): Promise<number> => {
  const [name, ...rest] = argv;
  const run = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (run === undefined) {
    const known = Object.keys(subcommands).join(', ');
    throw new CommandUsageError(
      name === undefined ? `Choose one of ${known}.` : `${JSON.stringify(name)} is not one of ${known}.`,
    );
  }
  return run(rest, context);
};
