import { MigrationsMissingError } from '@/lib/database/migrate';
import { backupCommand, restoreCommand } from './backup';
import { StoreOpenError } from '../store/errors';
import { carriersCommand } from './carriers';
import { CommandFailure, CommandUsageError, type Command, type CommandContext } from './command';
import { keysCommand, tokensCommand } from './keys';
import { replayCommand } from './replay/replay';
import { signingKeysCommand } from './signing-keys';
import { serveCommand, simulateCommand } from './serve/serve';
import { vehiclesCommand } from './vehicles/vehicles';

const COMMANDS: Record<string, Command> = {
  serve: serveCommand,
  carriers: carriersCommand,
  vehicles: vehiclesCommand,
  keys: keysCommand,
  tokens: tokensCommand,
  'signing-keys': signingKeysCommand,
  simulate: simulateCommand,
  replay: replayCommand,
  backup: backupCommand,
  restore: restoreCommand,
};

const DEFAULT_COMMAND = 'serve';

/**
 * Runs one command of the tracking service's command line and resolves to its exit code: 0 done, 1 failed, 2 wrong
 * arguments. `argv` follows `npm run service --`; without arguments it runs `serve`.
 */
export const runCommand = async (argv: string[], context: CommandContext): Promise<number> => {
  const { name, rest, isHelp } = readCommandName(argv);
  if (isHelp) return writeHelp(name, context);
  const command = findCommand(name);
  if (command === null) return refuseName(name, context);
  try {
    return (await command.run(rest, context)) ?? 0;
  } catch (error) {
    return printFailure(error, command, context);
  }
};

const readCommandName = (argv: string[]): { name: string; rest: string[]; isHelp: boolean } => {
  const [first, ...rest] = argv;
  if (first === 'help') return { name: rest[0] ?? '', rest: [], isHelp: true };
  const isNamed = first !== undefined && !first.startsWith('-');
  const isHelp = argv.includes('--help') || argv.includes('-h');
  return isNamed
    ? { name: first, rest, isHelp }
    : { name: isHelp ? '' : DEFAULT_COMMAND, rest: argv, isHelp };
};

const findCommand = (name: string): Command | null =>
  Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : null;

const writeHelp = (name: string, context: CommandContext): number => {
  const command = findCommand(name);
  if (name !== '' && command === null) return refuseName(name, context);
  (command === null ? toOverview(COMMANDS) : toCommandHelp(command)).forEach(context.stdout);
  return 0;
};

const refuseName = (name: string, { stderr }: CommandContext): number => {
  stderr(
    `There is no command ${JSON.stringify(name)}. There are ${Object.keys(COMMANDS).join(', ')} and help.`,
  );
  return 2;
};

const printFailure = (error: unknown, command: Command, { stderr }: CommandContext): number => {
  if (error instanceof CommandUsageError) {
    stderr(error.message);
    toUsage(command).forEach(stderr);
    return 2;
  }
  if (error instanceof CommandFailure || error instanceof MigrationsMissingError) {
    stderr(error.message);
    return 1;
  }
  if (error instanceof StoreOpenError) {
    // The cause names host and port; neither message holds the URL with its password.
    stderr(`${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`.trim());
    return 1;
  }
  throw error;
};

const TYPED = 'npm run service --';

/** The lines of `help`: the commands and how to start. */
const toOverview = (commands: Record<string, Command>): string[] => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    'Linehaul tracking service: the API, its ingest, and what it keeps.',
    '',
    `  ${TYPED} COMMAND [OPTIONS]`,
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `  ${TYPED} help COMMAND   shows the options of a command`,
    '',
    'From nothing to a fleet that can be read:',
    `  ${TYPED} carriers add 1234567 --name "Prairie Freight"`,
    `  ${TYPED} vehicles import fleet.csv --usdot 1234567`,
    `  ${TYPED} tokens create --usdot 1234567 --name phones     for the devices that report`,
    `  ${TYPED} keys create --usdot 1234567 --name dispatch     for the application that reads`,
    `  ${TYPED} serve`,
    '',
    'DATABASE_URL names the PostgreSQL to use; without it the service starts its own.',
  ];
};

const toCommandHelp = ({ summary, usage, details }: Command): string[] => [
  `${summary}.`,
  '',
  ...usage.map((form) => `  ${TYPED} ${form}`),
  '',
  ...details,
];

const toUsage = ({ usage }: Command): string[] => ['Usage:', ...usage.map((form) => `  ${TYPED} ${form}`)];
