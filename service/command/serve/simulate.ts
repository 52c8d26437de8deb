import { untilAborted } from '@/lib/base/process/signals';
import { DEMO_SEED } from '../../demo/seed';
import type { ServiceLog } from '../../log';
import { createDemoFleet, type DemoFleet } from '../../simulator/demo-fleet';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator';
import { DEMO_CARRIER } from '../../simulator/vehicles';
import { parseArguments, parseDuration, toBaseUrl, toInteger } from '../arguments';
import { CommandFailure, CommandUsageError, type Command, type CommandContext } from '../command';
import { toCount, createServiceLog } from '../output';
import { withStore, withTemporaryToken } from '../with-store';

export const DEFAULT_DEMO_UNITS = 400;
const MAX_DEMO_UNITS = 100_000;
const MAX_HISTORY_HOURS = 400 * 24;
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
  const { options } = parseArguments(argv, {
    url: 'text',
    token: 'text',
    units: 'text',
    seed: 'text',
    history: 'text',
  });
  if (options.history !== undefined) return recordHistory(options.history, readDemoOptions(options), context);
  const baseUrl = toBaseUrl(options.url, 'url', 'http://127.0.0.1:4000');
  const fleet = createDemoFleet(readDemoOptions(options));
  const token = options.token ?? ((context.env ?? process.env).LINEHAUL_INGEST_TOKEN?.trim() || undefined);
  if (token) {
    await drive(baseUrl, token, fleet, context);
    return 0;
  }
  return withStore(context, async (store) => {
    await store.carriers.upsert(DEMO_CARRIER);
    await store.vehicles.upsertMany([...fleet.vehicles]);
    await withTemporaryToken(store, DEMO_CARRIER.usdot, 'simulate', (temporary) =>
      drive(baseUrl, temporary, fleet, context),
    );
    return 0;
  });
};

/** `30d` or `12h` in hours. @throws CommandUsageError */
const toHours = (text: string): number => {
  const hours = (parseDuration(text) ?? 0) / 3_600_000;
  if (Number.isInteger(hours) && hours >= 1 && hours <= MAX_HISTORY_HOURS) return hours;
  throw new CommandUsageError(
    `--history is a time of up to 400 days, as 30d or 12h, got ${JSON.stringify(text)}.`,
  );
};

const recordHistory = async (
  history: string,
  demo: { units: number; seed: number },
  { recordPast, stdout, stderr }: CommandContext,
): Promise<number> => {
  const hours = toHours(history);
  if (!recordPast) throw new CommandFailure('A past is recorded by `npm run service` only.');
  stderr(`Recording ${history} of ${toCount(demo.units, 'demo unit')}: some seconds for each day.`);
  if (!(await recordPast({ ...demo, hours })))
    throw new CommandFailure('The demo fleet has a recorded past already: this would change it.');
  stdout(`The demo fleet of ${toCount(demo.units, 'unit')} has a past of ${history}.`);
  return 0;
};

/** Starts the devices of a demo fleet, which report to the service at an address. */
export const startDevices = (
  baseUrl: string,
  { fleet, ingestToken }: Pick<SimulatorOptions, 'fleet' | 'ingestToken'>,
  { now, fetch: transport = fetch }: CommandContext,
  log: ServiceLog,
): Simulator =>
  startSimulator({ ingestUrl: `${baseUrl}/ingest`, ingestToken, fleet, now, fetch: transport, log });

const drive = async (
  baseUrl: string,
  ingestToken: string,
  fleet: DemoFleet,
  context: CommandContext,
): Promise<void> => {
  const simulator = startDevices(baseUrl, { fleet, ingestToken }, context, createServiceLog(context));
  context.stdout(
    `${toCount(fleet.vehicles.length, 'demo unit')} report to ${baseUrl} until you stop this (Ctrl-C).`,
  );
  await untilAborted(context.signal);
  await simulator.stop();
};

export const simulateCommand: Command = {
  summary: 'Drive the demo fleet against a service',
  usage: [
    'simulate [--url URL] [--token TOKEN] [--units N] [--seed N]',
    'simulate --history TIME [--units N] [--seed N]',
  ],
  details: [
    `The demo fleet is of carrier ${DEMO_CARRIER.usdot}, which cannot be a real one.`,
    '  --url URL             the service, or where an application has it mounted (default: http://127.0.0.1:4000)',
    '  --token TOKEN         the ingest token of a service that knows the fleet already; better kept in',
    '                        LINEHAUL_INGEST_TOKEN. Without one, the fleet is put into the database at DATABASE_URL,',
    '                        and a token is made and revoked at the end.',
    '  --history TIME        drives nothing, but gives the fleet a past on the map that ends now: 30d, 12h',
    `  --units N, --seed N   the size of the fleet (default: ${DEFAULT_DEMO_UNITS}) and what it is drawn from`,
  ],
  run,
};
