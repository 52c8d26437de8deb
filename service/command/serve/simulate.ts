import { createDemoFleet } from '../../simulator/demo-fleet';
import { startSimulator } from '../../simulator/simulator';
import { DEMO_CARRIER } from '../../simulator/vehicles';
import { parseArguments, toBaseUrl, toInteger } from '../arguments';
import { toCount } from '../output';
import { createServiceLog } from './service-log';
import { withStore } from '../with-store';
import type { DemoFleet } from '../../simulator/demo-fleet';
import type { Command, CommandContext } from '../context';
import { DEMO_SEED } from '../../demo/seed';
import { untilAborted } from '../context';

export const DEFAULT_DEMO_UNITS = 400;
const MAX_DEMO_UNITS = 100_000;
const MAX_SEED = 2 ** 31 - 1;

/** The size and seed of the demo fleet, from `--units` and `--seed`. */
export const readDemoOptions = (options: {
  units?: string;
  seed?: string;
}): { units: number; seed: number } => ({
  units: toInteger(options.units, 'units', { min: 1, max: MAX_DEMO_UNITS, fallback: DEFAULT_DEMO_UNITS }),
  seed: toInteger(options.seed, 'seed', { min: 0, max: MAX_SEED, fallback: DEMO_SEED }),
});

const run = async (argv: string[], context: CommandContext): Promise<number> => {
  const { options } = parseArguments(argv, { url: 'text', token: 'text', units: 'text', seed: 'text' });
  const baseUrl = toBaseUrl(options.url, 'url', 'http://127.0.0.1:4000');
  const fleet = createDemoFleet(readDemoOptions(options));
  const token = options.token ?? ((context.env ?? process.env).LINEHAUL_INGEST_TOKEN?.trim() || undefined);
  if (token) {
    await drive(baseUrl, token, fleet, context);
    return 0;
  }
  return withStore(context, async ({ carriers, vehicles, ingestTokens }) => {
    await carriers.upsert(DEMO_CARRIER);
    await vehicles.upsertMany([...fleet.vehicles]);
    const temporary = await ingestTokens.create({
      usdot: DEMO_CARRIER.usdot,
      name: 'simulate',
      createdBy: 'command line',
    });
    try {
      await drive(baseUrl, temporary.token, fleet, context);
    } finally {
      await ingestTokens.revoke(temporary.id);
    }
    return 0;
  });
};

const drive = async (
  baseUrl: string,
  token: string,
  fleet: DemoFleet,
  context: CommandContext,
): Promise<void> => {
  const simulator = startSimulator({
    ingestUrl: `${baseUrl}/ingest`,
    ingestToken: token,
    fleet,
    now: context.now,
    fetch: context.fetch ?? fetch,
    log: createServiceLog(context),
  });
  context.stdout(
    `${toCount(fleet.vehicles.length, 'demo unit')} report to ${baseUrl} until you stop this (Ctrl-C).`,
  );
  await untilAborted(context.signal);
  await simulator.stop();
};

export const simulateCommand: Command = {
  summary: 'Drive the demo fleet against a service',
  usage: ['simulate [--url URL] [--token TOKEN] [--units N] [--seed N]'],
  details: [
    `The demo fleet is of carrier ${DEMO_CARRIER.usdot}, which cannot be a real one.`,
    '  --url URL             the service, or where an application has it mounted (default: http://127.0.0.1:4000)',
    '  --token TOKEN         the ingest token of a service that knows the fleet already; better kept in',
    '                        LINEHAUL_INGEST_TOKEN. Without one, the fleet is put into the database at DATABASE_URL,',
    '                        and a token is made and revoked at the end.',
    `  --units N, --seed N   the size of the fleet (default: ${DEFAULT_DEMO_UNITS}) and what it is drawn from`,
  ],
  run,
};
