import type { CredentialRecord } from '../../store/credentials/key-records';
import type { CredentialInput } from '../../store/inputs';
import type { Store } from '../../store/store';
import { parseArguments, requireOption, requireUsdot, type OptionKinds, type Options } from '../arguments';
import { CommandFailure, runSubcommand, type CommandContext, type Command } from '../command';
import { toMinute, toTable, writeJson } from '../output';
import { withStore } from '../with-store';

/** New secrets by their JSON names, and the lines that show them to the user. */
export interface Issued {
  id: string;
  secrets: Record<string, string>;
  lines: string[];
}

/** What differs between API keys and ingest tokens in the commands that create, list and revoke them. */
export interface CredentialKind<K extends OptionKinds, R extends CredentialRecord> {
  /** "API key" */
  noun: string;
  /** Options besides the carrier and the name. */
  options: K;
  readAll(store: Store, usdot: string | undefined): Promise<R[]>;
  revoke(store: Store, id: string): Promise<boolean>;
  create(store: Store, input: CredentialInput, options: Options<K>, nowMs: number): Promise<Issued>;
  /** A further column of the list. */
  column?: { heading: string; toText(record: R): string };
  /** "in use", unless it was revoked. */
  toState(record: R, nowMs: number): string;
}

type Run = (argv: string[], context: CommandContext) => Promise<number>;

const CREATED_BY = 'command line';

export const printIssued = (context: CommandContext, { lines }: Issued, done: string): void => {
  context.stdout(done);
  lines.forEach(context.stdout);
  context.stdout('This is shown once. Only a hash of it is kept.');
};

export const createCredentialCommands = <K extends OptionKinds, R extends CredentialRecord>(
  kind: CredentialKind<K, R>,
): { create: Run; list: Run; revoke: Run } => ({
  async create(argv, context) {
    const own = { usdot: 'text', name: 'text', json: 'flag' } as const;
    const { options } = parseArguments(argv, { ...kind.options, ...own });
    const typed = options as Options<typeof own> & Options<K>;
    const usdot = requireUsdot(typed.usdot);
    const name = requireOption(typed.name, 'name');
    const nowMs = context.now();
    return withStore(context, async (store) => {
      const issued = await kind.create(store, { usdot, name, createdBy: CREATED_BY }, typed, nowMs);
      const { id, secrets } = issued;
      if (typed.json) writeJson(context, { id, usdot, name, ...secrets });
      else printIssued(context, issued, `Created ${kind.noun} ${id} (${name}) of carrier ${usdot}.`);
      return 0;
    });
  },

  async list(argv, context) {
    const { options } = parseArguments(argv, { usdot: 'text', json: 'flag' });
    const usdot = options.usdot === undefined ? undefined : requireUsdot(options.usdot);
    return withStore(context, async (store) => {
      const records = await kind.readAll(store, usdot);
      if (options.json) writeJson(context, records);
      else if (records.length === 0) context.stdout(`There is no ${kind.noun} yet.`);
      else {
        const own = kind.column;
        const header = ['ID', 'USDOT', 'NAME', 'BEGINS', 'CREATED', 'BY', 'LAST USED', 'STATE'];
        const rows = records.map((record) => [
          ...toCells(record),
          toState(kind, record, context.now()),
          ...(own ? [own.toText(record)] : []),
        ]);
        toTable([...header, ...(own ? [own.heading] : [])], rows).forEach(context.stdout);
      }
      return 0;
    });
  },

  async revoke(argv, context) {
    const { args } = parseArguments(argv, {}, [`The id of the ${kind.noun}`]);
    return withStore(context, async (store) => {
      if (!(await kind.revoke(store, args[0]!))) {
        throw new CommandFailure(`There is no ${kind.noun} ${args[0]} that is still in use.`);
      }
      context.stdout(`Revoked ${kind.noun} ${args[0]}. It stopped working just now.`);
      return 0;
    });
  },
});

const toMinuteOrNull = (timeMs: number | null) => (timeMs === null ? null : toMinute(timeMs));

const toCells = (record: CredentialRecord) => [
  record.id,
  record.usdot,
  record.name,
  record.prefix,
  toMinute(record.createdAtMs),
  record.createdBy,
  toMinuteOrNull(record.lastUsedAtMs),
];

const toState = <R extends CredentialRecord>(
  kind: Pick<CredentialKind<OptionKinds, R>, 'toState'>,
  record: R,
  nowMs: number,
): string =>
  record.revokedAtMs === null ? kind.toState(record, nowMs) : `revoked ${toMinute(record.revokedAtMs)}`;

const subcommands = createCredentialCommands({
  noun: 'ingest token',
  options: {},
  readAll: ({ ingestTokens }, usdot) => ingestTokens.list(usdot),
  revoke: ({ ingestTokens }, id) => ingestTokens.revoke(id),
  async create({ ingestTokens }, input) {
    const { id, token } = await ingestTokens.create(input);
    return {
      id,
      secrets: { token },
      lines: [
        `  token: ${token}`,
        'Give it to devices as Authorization: Bearer, as the password of Basic authentication, or in the address:',
        `  …/ingest/${token}/osmand   (or traccar, owntracks, overland, homeassistant)`,
      ],
    };
  },
  toState: () => 'in use',
});

export const tokensCommand: Command = {
  summary: 'Create, list and revoke the ingest tokens of devices',
  usage: [
    'tokens create --usdot USDOT --name NAME [--json]',
    'tokens list [--usdot USDOT] [--json]',
    'tokens revoke ID',
  ],
  details: [
    "With an ingest token a device may report positions of its carrier's vehicles, and nothing else.",
    '  --usdot USDOT   the carrier whose vehicles report',
    '  --name NAME     which devices use it, to recognize it by',
    '  --json          {"id","usdot","name","token"} on one line',
  ],
  run: (argv, context) => runSubcommand(subcommands, argv, context),
};
