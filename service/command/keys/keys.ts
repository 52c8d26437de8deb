import type { KeyRecord } from '../../store/credentials/key-records';
import type { IssuedKey } from '../../store/credentials/keys';
import type { Store } from '../../store/store';
import { parseArguments, parseDuration } from '../arguments';
import {
  CommandFailure,
  CommandUsageError,
  runSubcommand,
  type Command,
  type CommandContext,
} from '../command';
import { toMinute, writeJson } from '../output';
import { withStore } from '../with-store';
import { createCredentialCommands, printIssued, type Issued } from './credentials';
import { ACCESS_HELP, ACCESS_OPTIONS, toAccessText, toKeyAccess } from './key-access-options';

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

const subcommands = createCredentialCommands({
  noun: 'API key',
  options: ACCESS_OPTIONS,
  readAll: ({ keys }, usdot) => keys.list(usdot),
  revoke: ({ keys }, id) => keys.revoke(id),
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

const change = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(argv, { name: 'text', ...ACCESS_OPTIONS }, [THE_ID]);
  if (Object.keys(options).length === 0) throw new CommandUsageError('Say what to change.');
  const { name, ...typed } = options;
  return withStore(context, async (store) => {
    const key = await requireKey(store, args[0]!);
    const access = toKeyAccess(typed, key.access, context.now());
    const isAccessTyped = Object.keys(typed).length > 0;
    await store.keys.change(key.id, {
      ...(name !== undefined && { name }),
      ...(isAccessTyped && { access }),
    });
    context.stdout(`Changed API key ${key.id} (${name ?? key.name}). It may use: ${toAccessText(access)}.`);
    return 0;
  });
};

const DEFAULT_OVERLAP = '24h';
const MAX_OVERLAP_MS = 90 * 86_400_000;

const rotate = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(argv, { overlap: 'text', json: 'flag' }, [THE_ID]);
  const overlap = options.overlap ?? DEFAULT_OVERLAP;
  const overlapMs = parseDuration(overlap);
  if (overlapMs === null || overlapMs > MAX_OVERLAP_MS) {
    throw new CommandUsageError(
      `--overlap is 0 or a span of at most 90 days such as 30m, 24h or 7d, got ${JSON.stringify(overlap)}.`,
    );
  }
  return withStore(context, async (store) => {
    const { id, access } = await requireKey(store, args[0]!);
    const key = await store.keys.rotate(id, overlapMs);
    if (key === null) throw new CommandFailure(`There is no API key ${id} that is still in use.`);
    const oldEndsAtMs = Math.min(context.now() + overlapMs, access.expiresAtMs ?? Infinity);
    const issued = toIssued(key);
    if (options.json) writeJson(context, { id: key.id, ...issued.secrets, oldEndsAtMs });
    else {
      const until =
        overlapMs === 0
          ? 'The old ones stopped working just now'
          : `The old ones work until ${toMinute(oldEndsAtMs)}`;
      printIssued(context, issued, `API key ${key.id} has new secrets. ${until}.`);
    }
    return 0;
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
  run: (argv, context) => runSubcommand({ ...subcommands, change, rotate }, argv, context),
};
