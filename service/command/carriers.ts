import { parseMcNumber } from '@/lib/identity/carrier-numbers';
import {
  CommandFailure,
  CommandUsageError,
  parseArguments,
  print,
  requireOption,
  requireUsdot,
  requireValid,
  toCount,
  toSubcommands,
  toTable,
  withStore,
  type Command,
  type Run,
} from './command';
import { endKept } from './kept';

const THE_USDOT = 'The USDOT number';

const add: Run = async (argv, context) => {
  const kinds = { name: 'text', 'company-id': 'text', mc: 'text', json: 'flag' } as const;
  const { options, args } = parseArguments(argv, kinds, [THE_USDOT]);
  const { mc } = options;
  const usdot = requireUsdot(args[0], THE_USDOT);
  const companyName = requireOption(options.name, 'name');
  const mcNumber =
    mc === undefined ? null : requireValid(parseMcNumber(mc), '--mc', 'an MC number such as MC-990001', mc);
  await withStore(context, async ({ carriers }) => {
    const known = await carriers.read(usdot);
    await carriers.upsert({
      usdot,
      companyName,
      companyId: options['company-id'] ?? known?.companyId ?? usdot,
      mcNumber: mcNumber ?? known?.mcNumber ?? null,
    });
    const done = `${known ? 'Changed' : 'Added'} carrier ${usdot}, ${companyName}.`;
    print(context, options.json, await carriers.read(usdot), done);
  });
};

const list: Run = async (argv, context) => {
  const { options } = parseArguments(argv, { json: 'flag' });
  await withStore(context, async ({ carriers, vehicles }) => {
    const rows = await Promise.all(
      (await carriers.list()).map(async (carrier) => ({
        ...carrier,
        vehicles: (await vehicles.list(carrier.usdot)).length,
      })),
    );
    const cells = rows.map((row) => [row.usdot, row.companyName, row.companyId, row.mcNumber, row.vehicles]);
    const none = 'There is no carrier yet. Add one with: carriers add USDOT --name NAME';
    print(
      context,
      options.json,
      rows,
      toTable(['USDOT', 'NAME', 'COMPANY ID', 'MC', 'VEHICLES'], cells, none),
    );
  });
};

const remove: Run = async (argv, context) => {
  const { options, args } = parseArguments(argv, { yes: 'flag' }, [THE_USDOT]);
  const usdot = requireUsdot(args[0], THE_USDOT);
  await withStore(context, async ({ carriers, vehicles }) => {
    const carrier = await carriers.read(usdot);
    if (carrier === null) throw new CommandFailure(`There is no carrier ${usdot}.`);
    const what = `${carrier.companyName} with ${toCount((await vehicles.list(usdot)).length, 'vehicle')}, their fixes, its keys and its tokens`;
    if (!options.yes)
      throw new CommandUsageError(`This removes ${what} for good. Say --yes if that is meant.`);
    await carriers.remove(usdot, (tx) => endKept(tx, usdot, null));
    context.stdout(`Removed ${what}.`);
  });
};

export const carriersCommand: Command = {
  summary: 'Add, list and remove carriers',
  usage: [
    'carriers add USDOT --name NAME [--company-id ID] [--mc NUMBER] [--json]',
    'carriers list [--json]',
    'carriers remove USDOT --yes',
  ],
  details: [
    'A carrier owns vehicles, API keys and ingest tokens. Adding one that exists changes what is given and keeps the rest.',
    '  --name NAME       the company name',
    '  --company-id ID   the company id that GET /api/carrier answers (default: the USDOT number)',
    '  --mc NUMBER       its MC number',
    '  --yes             remove the carrier with all its vehicles, fixes, keys and tokens',
  ],
  run: toSubcommands({ add, list, remove }),
};
