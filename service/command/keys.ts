import { DAY_MS } from '@/lib/base/time';
import { ENDPOINTS, keyAccessSchema, type KeyAccess } from '../store/credentials/key-access';
import type { CredentialRecord, IssuedKey, KeyRecord } from '../store/credentials/keys';
import type { CredentialInput } from '../store/inputs';
import type { Store } from '../store/store';
import {
  CommandFailure,
  CommandUsageError,
  parseArguments,
  parseDuration,
  print,
  requireOption,
  requireUsdot,
  toMinute,
  toSubcommands,
  toTable,
  withStore,
  type Command,
  type OptionKinds,
  type Options,
  type Run,
} from './command';

export const ACCESS_OPTIONS = {
  endpoints: 'text',
  expires: 'text',
  from: 'text',
  'requests-per-minute': 'text',
} as const;

const ACCESS_HELP = [
  `  --endpoints LIST           which it may use, of ${ENDPOINTS.join(', ')}; all unless given`,
  '  --expires WHEN             a day (2027-01-31, to its end in UTC), a time (2027-01-31T12:00Z) or a span (90d); never unless given',
  '  --from LIST                addresses it may be used from, such as 203.0.113.7,198.51.100.0/24; anywhere unless given',
  '  --requests-per-minute N    how many requests it may send; unlimited unless given',
];

const toList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** Whether a day is in the calendar: Date.parse takes the 30th of February for the 2nd of March. */
const isInCalendar = (day: string): boolean => {
  const atMs = Date.parse(day);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day);
};

const toExpiry = (text: string, nowMs: number): number => {
  const spanMs = parseDuration(text);
  if (spanMs !== null) return nowMs + spanMs;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  // A time without a zone would mean another moment on another machine.
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const atMs = (isDay || isTime) && isInCalendar(text.slice(0, 10)) ? Date.parse(text) : NaN;
  if (Number.isNaN(atMs)) {
    throw new CommandUsageError(
      `--expires is a day, a time with its zone, a span such as 90d, or never; got ${JSON.stringify(text)}.`,
    );
  }
  return isDay ? atMs + DAY_MS : atMs;
};

/** The typed access options over the key's present access. @throws CommandUsageError */
export const toKeyAccess = (
  options: Options<typeof ACCESS_OPTIONS>,
  held: KeyAccess | null,
  nowMs: number,
): KeyAccess => {
  const { endpoints, expires, from, 'requests-per-minute': requests } = options;
  const parsed = keyAccessSchema.safeParse({
    ...held,
    ...(endpoints !== undefined && { endpoints: endpoints === 'all' ? null : toList(endpoints) }),
    ...(expires !== undefined && { expiresAtMs: expires === 'never' ? null : toExpiry(expires, nowMs) }),
    ...(from !== undefined && { allowedNetworks: from === 'anywhere' ? null : toList(from) }),
    ...(requests !== undefined && { requestsPerMinute: requests === 'unlimited' ? null : Number(requests) }),
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new CommandUsageError(`--${OPTION_OF_FIELD[String(issue.path[0])]} ${issue.message}.`);
};

const OPTION_OF_FIELD: Record<string, keyof typeof ACCESS_OPTIONS> = {
  endpoints: 'endpoints',
  expiresAtMs: 'expires',
  allowedNetworks: 'from',
  requestsPerMinute: 'requests-per-minute',
};

/** A key's limits as text: "units, carrier · from 203.0.113.7/32 · 60 a minute · until 2027-01-31 00:00 UTC". */
const toAccessText = ({ endpoints, allowedNetworks, requestsPerMinute, expiresAtMs }: KeyAccess): string =>
  [
    endpoints?.join(', '),
    allowedNetworks && `from ${allowedNetworks.join(', ')}`,
    requestsPerMinute && `${requestsPerMinute} a minute`,
    expiresAtMs && `until ${toMinute(expiresAtMs)}`,
  ]
    .filter(Boolean)
    .join(' · ') || 'everything';

/** New secrets by their JSON names, and the lines that show them to the user. */
interface Issued {
  id: string;
  secrets: Record<string, string>;
  lines: string[];
}

/** The differences of API keys and ingest tokens in the commands that create, list and revoke them. */
interface CredentialKind<K extends OptionKinds, R extends CredentialRecord> {
  /** "API key" */
  noun: string;
  /** Options besides the carrier and the name. */
  options: K;
  of(store: Store): { list: (usdot?: string) => Promise<R[]>; revoke: (id: string) => Promise<boolean> };
  create(store: Store, input: CredentialInput, options: Options<K>, nowMs: number): Promise<Issued>;
  /** A further column of the list. */
  column?: { heading: string; toText(record: R): string };
  /** "in use", unless it was revoked. */
  toState(record: R, nowMs: number): string;
}

const CREATED_BY = 'command line';

const toLines = ({ lines }: Issued, done: string): string[] => [
  done,
  ...lines,
  'This is shown once. Only a hash of it is kept.',
];

const createCredentialCommands = <K extends OptionKinds, R extends CredentialRecord>(
  kind: CredentialKind<K, R>,
): { create: Run; list: Run; revoke: Run } => ({
  async create(argv, context) {
    const own = { usdot: 'text', name: 'text', json: 'flag' } as const;
    const { options } = parseArguments(argv, { ...kind.options, ...own });
    const typed = options as Options<typeof own> & Options<K>;
    const usdot = requireUsdot(typed.usdot);
    const name = requireOption(typed.name, 'name');
    const nowMs = context.now();
    await withStore(context, async (store) => {
      const issued = await kind.create(store, { usdot, name, createdBy: CREATED_BY }, typed, nowMs);
      const { id, secrets } = issued;
      const done = `Created ${kind.noun} ${id} (${name}) of carrier ${usdot}.`;
      print(context, typed.json, { id, usdot, name, ...secrets }, toLines(issued, done));
    });
  },

  async list(argv, context) {
    const { options } = parseArguments(argv, { usdot: 'text', json: 'flag' });
    const usdot = options.usdot === undefined ? undefined : requireUsdot(options.usdot);
    await withStore(context, async (store) => {
      const records = await kind.of(store).list(usdot);
      const own = kind.column;
      const header = ['ID', 'USDOT', 'NAME', 'BEGINS', 'CREATED', 'BY', 'LAST USED', 'STATE'];
      const rows = records.map((record) => [
        ...toCells(record),
        record.revokedAtMs === null
          ? kind.toState(record, context.now())
          : `revoked ${toMinute(record.revokedAtMs)}`,
        ...(own ? [own.toText(record)] : []),
      ]);
      const none = `There is no ${kind.noun} yet.`;
      print(context, options.json, records, toTable([...header, ...(own ? [own.heading] : [])], rows, none));
    });
  },

  async revoke(argv, context) {
    const { args } = parseArguments(argv, {}, [`The id of the ${kind.noun}`]);
    await withStore(context, async (store) => {
      if (!(await kind.of(store).revoke(args[0]!))) {
        throw new CommandFailure(`There is no ${kind.noun} ${args[0]} that is still in use.`);
      }
      context.stdout(`Revoked ${kind.noun} ${args[0]}. It stopped working just now.`);
    });
  },
});

const toCells = (record: CredentialRecord) => [
  record.id,
  record.usdot,
  record.name,
  record.prefix,
  toMinute(record.createdAtMs),
  record.createdBy,
  record.lastUsedAtMs === null ? null : toMinute(record.lastUsedAtMs),
];

const tokenSubcommands = createCredentialCommands({
  noun: 'ingest token',
  options: {},
  of: ({ ingestTokens }) => ingestTokens,
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
  run: toSubcommands(tokenSubcommands),
};

const THE_ID = 'The id of the API key';

const toIssued = ({ id, apiKey, providerToken }: IssuedKey): Issued => ({
  id,
  secrets: { apiKey, providerToken },
  lines: [`  x-api-key:      ${apiKey}`, `  provider-token: ${providerToken}`],
});

const toState = ({ access: { expiresAtMs }, replaced }: KeyRecord, nowMs: number): string => {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return `expired ${toMinute(expiresAtMs)}`;
  return replaced === null
    ? 'in use'
    : `in use; ${replaced.prefix ?? 'the pair before'} until ${toMinute(replaced.endsAtMs)}`;
};

const keySubcommands = createCredentialCommands({
  noun: 'API key',
  options: ACCESS_OPTIONS,
  of: ({ keys }) => keys,
  create: async ({ keys }, input, options, nowMs) =>
    toIssued(await keys.create({ ...input, access: toKeyAccess(options, null, nowMs) })),
  column: { heading: 'MAY USE', toText: ({ access }) => toAccessText(access) },
  toState,
});

const requireKey = async ({ keys }: Store, id: string): Promise<KeyRecord> => {
  const key = (await keys.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (key === undefined) throw new CommandFailure(`There is no API key ${id} that is still in use.`);
  return key;
};

const change: Run = async (argv, context) => {
  const { options, args } = parseArguments(argv, { name: 'text', ...ACCESS_OPTIONS }, [THE_ID]);
  if (Object.keys(options).length === 0) throw new CommandUsageError('Say what to change.');
  const { name, ...typed } = options;
  await withStore(context, async (store) => {
    const key = await requireKey(store, args[0]!);
    const access = toKeyAccess(typed, key.access, context.now());
    const isAccessTyped = Object.keys(typed).length > 0;
    await store.keys.change(key.id, {
      ...(name !== undefined && { name }),
      ...(isAccessTyped && { access }),
    });
    context.stdout(`Changed API key ${key.id} (${name ?? key.name}). It may use: ${toAccessText(access)}.`);
  });
};

const DEFAULT_OVERLAP = '24h';
const MAX_OVERLAP_MS = 90 * DAY_MS;

const rotate: Run = async (argv, context) => {
  const { options, args } = parseArguments(argv, { overlap: 'text', json: 'flag' }, [THE_ID]);
  const overlap = options.overlap ?? DEFAULT_OVERLAP;
  const overlapMs = parseDuration(overlap);
  if (overlapMs === null || overlapMs > MAX_OVERLAP_MS) {
    throw new CommandUsageError(
      `--overlap is 0 or a span of at most 90 days such as 30m, 24h or 7d, got ${JSON.stringify(overlap)}.`,
    );
  }
  await withStore(context, async (store) => {
    const { id, access } = await requireKey(store, args[0]!);
    const key = await store.keys.rotate(id, overlapMs);
    if (key === null) throw new CommandFailure(`There is no API key ${id} that is still in use.`);
    const oldEndsAtMs = Math.min(context.now() + overlapMs, access.expiresAtMs ?? Infinity);
    const issued = toIssued(key);
    const until =
      overlapMs === 0
        ? 'The old ones stopped working just now'
        : `The old ones work until ${toMinute(oldEndsAtMs)}`;
    const lines = toLines(issued, `API key ${key.id} has new secrets. ${until}.`);
    print(context, options.json, { id: key.id, ...issued.secrets, oldEndsAtMs }, lines);
  });
};

export const keysCommand: Command = {
  summary: 'Create, list, change, rotate and revoke the API keys of the five endpoints',
  usage: [
    'keys create --usdot USDOT --name NAME [--endpoints LIST] [--expires WHEN] [--from LIST] [--requests-per-minute N] [--json]',
    'keys list [--usdot USDOT] [--json]',
    'keys change ID [--name NAME] [--endpoints LIST] [--expires WHEN] [--from LIST] [--requests-per-minute N]',
    'keys rotate ID [--overlap SPAN] [--json]',
    'keys revoke ID',
  ],
  details: [
    'An API key comes with its provider token; every request to the endpoints sends both. Both are shown once.',
    '  --usdot USDOT              the carrier whose fleet the key may read',
    '  --name NAME                what the key is for, to recognize it by',
    ...ACCESS_HELP,
    '                             (change: all, never, anywhere and unlimited lift a limit)',
    `  --overlap SPAN             how long the old secrets stay good after a rotation (default: ${DEFAULT_OVERLAP}; 0 ends them at once)`,
    '  --json                     {"id","usdot","name","apiKey","providerToken"} on one line',
    'Behind proxies of yours, TRUSTED_PROXIES must say how many, or addresses are those of the nearest proxy.',
  ],
  run: toSubcommands({ ...keySubcommands, change, rotate }),
};
