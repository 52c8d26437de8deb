import { CommandUsageError } from './context';
import type { CommandContext } from './context';

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
