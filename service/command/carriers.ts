import { parseArguments, requireOption, requireUsdot, toMcNumber } from './arguments';
import {
  CommandFailure,
  CommandUsageError,
  runSubcommand,
  type Command,
  type CommandContext,
} from './command';
import { toCount, toTable, writeJson } from './output';
import { withStore } from './with-store';

const add = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(
    argv,
    { name: 'text', 'company-id': 'text', mc: 'text', json: 'flag' },
    ['The USDOT number'],
  );
  const usdot = requireUsdot(args[0], 'The USDOT number');
  const companyName = requireOption(options.name, 'name');
  const mcNumber = toMcNumber(options.mc, 'mc');
  return withStore(context, async ({ carriers }) => {
    const known = await carriers.read(usdot);
    await carriers.upsert({
      usdot,
      companyName,
      companyId: options['company-id'] ?? known?.companyId ?? usdot,
      mcNumber: mcNumber ?? known?.mcNumber ?? null,
    });
    if (options.json) writeJson(context, await carriers.read(usdot));
    else context.stdout(`${known ? 'Changed' : 'Added'} carrier ${usdot}, ${companyName}.`);
    return 0;
  });
};

const list = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options } = parseArguments(argv, { json: 'flag' });
  return withStore(context, async ({ carriers, vehicles }) => {
    const rows = await Promise.all(
      (await carriers.list()).map(async (carrier) => ({
        ...carrier,
        vehicles: (await vehicles.list(carrier.usdot)).length,
      })),
    );
    if (options.json) writeJson(context, rows);
    else if (rows.length === 0)
      context.stdout('There is no carrier yet. Add one with: carriers add USDOT --name NAME');
    else {
      const cells = rows.map((row) => [
        row.usdot,
        row.companyName,
        row.companyId,
        row.mcNumber,
        row.vehicles,
      ]);
      toTable(['USDOT', 'NAME', 'COMPANY ID', 'MC', 'VEHICLES'], cells).forEach(context.stdout);
    }
    return 0;
  });
};

const remove = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options, args } = parseArguments(argv, { yes: 'flag' }, ['The USDOT number']);
  const usdot = requireUsdot(args[0], 'The USDOT number');
  return withStore(context, async ({ carriers, vehicles }) => {
    const carrier = await carriers.read(usdot);
    if (carrier === null) throw new CommandFailure(`There is no carrier ${usdot}.`);
    const what = `${carrier.companyName} with ${toCount((await vehicles.list(usdot)).length, 'vehicle')}, their fixes, its keys and its tokens`;
    if (!options.yes)
      throw new CommandUsageError(`This removes ${what} for good. Say --yes if that is meant.`);
    await carriers.remove(usdot);
    context.stdout(`Removed ${what}.`);
    return 0;
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
  run: (argv, context) => runSubcommand({ add, list, remove }, argv, context),
};
