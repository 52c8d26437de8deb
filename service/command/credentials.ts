import { parseArguments, requireOption, requireUsdot } from './arguments';
import { CommandFailure } from './context';
import { toMinute, toTable, writeJson } from './output';
import { withStore } from './with-store';
import type { CommandContext } from './context';
import type { CredentialRecord } from '../store/keys';
import type { Store } from '../store/store';

/** API keys and ingest tokens are made, listed and ended in the same way. */
export interface CredentialKind {
  /** "API key" */
  noun: string;
  readAll(store: Store, usdot: string | undefined): Promise<CredentialRecord[]>;
  revoke(store: Store, id: string): Promise<boolean>;
  /** The secrets by the names under which JSON gives them, and the lines that tell a reader what to do with them. */
  create(
    store: Store,
    input: { usdot: string; name: string },
  ): Promise<{ id: string; secrets: Record<string, string>; lines: string[] }>;
}

type Run = (argv: string[], context: CommandContext) => Promise<number>;

export const createCredentialCommands = (kind: CredentialKind): { create: Run; list: Run; revoke: Run } => ({
  async create(argv, context) {
    const { options } = parseArguments(argv, { usdot: 'text', name: 'text', json: 'flag' });
    const usdot = requireUsdot(options.usdot);
    const name = requireOption(options.name, 'name');
    return withStore(context, async (store) => {
      const { id, secrets, lines } = await kind.create(store, { usdot, name });
      if (options.json) writeJson(context, { id, usdot, name, ...secrets });
      else {
        context.stdout(`Created ${kind.noun} ${id} (${name}) of carrier ${usdot}.`);
        lines.forEach(context.stdout);
        context.stdout('This is shown once. Only a hash of it is kept.');
      }
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
      else
        toTable(['ID', 'USDOT', 'NAME', 'CREATED', 'REVOKED'], records.map(toCells)).forEach(context.stdout);
      return 0;
    });
  },

  async revoke(argv, context) {
    const { words } = parseArguments(argv, {}, [`The id of the ${kind.noun}`]);
    return withStore(context, async (store) => {
      if (!(await kind.revoke(store, words[0]!))) {
        throw new CommandFailure(`There is no ${kind.noun} ${words[0]} that is still in use.`);
      }
      context.stdout(`Revoked ${kind.noun} ${words[0]}. It stopped working just now.`);
      return 0;
    });
  },
});

const toCells = ({ id, usdot, name, createdAtMs, revokedAtMs }: CredentialRecord) => [
  id,
  usdot,
  name,
  toMinute(createdAtMs),
  revokedAtMs === null ? null : toMinute(revokedAtMs),
];
