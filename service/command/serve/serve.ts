import { untilAborted } from '@/lib/base/process/signals';
import { HOUR_MS } from '@/lib/base/time';
import { createClientAddresses } from '../../http/http-server';
import { DEMO_SEED, seedDemo, type SeededDemo } from '../../demo/seed';
import type { ServiceLog } from '../../log';
import { serveService, type RunningService, type ServeOptions } from '../../serve';
import { DEFAULT_ACTIVE_WINDOW_MIN, createService } from '../../service';
import { createDemoFleet, type DemoFleet } from '../../simulator/demo-fleet';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator';
import { DEMO_CARRIER } from '../../simulator/vehicles';
import {
  CommandFailure,
  createServiceLog,
  parseArguments,
  parseDuration,
  print,
  readIngestToken,
  readInteger,
  requireValid,
  toBaseUrl,
  toCount,
  toInteger,
  withStore,
  withTemporaryToken,
  type Command,
  type CommandContext,
  type IntegerBounds,
  type Run,
} from '../command';

const DEFAULT_DEMO_UNITS = 400;
const MAX_DEMO_UNITS = 100_000;
const MAX_HISTORY_HOURS = 400 * 24;
const MAX_SEED = 2 ** 31 - 1;

/** The size and seed of the demo fleet, from `--units` and `--seed`. */
const readDemoOptions = (options: { units?: string; seed?: string }): { units: number; seed: number } => ({
  units: toInteger(options.units, 'units', { min: 1, max: MAX_DEMO_UNITS, fallback: DEFAULT_DEMO_UNITS }),
  seed: toInteger(options.seed, 'seed', { min: 0, max: MAX_SEED, fallback: DEMO_SEED }),
});

const simulate: Run = async (argv, context) => {
  const { options } = parseArguments(argv, {
    url: 'text',
    token: 'text',
    units: 'text',
    seed: 'text',
    history: 'text',
  });
  if (options.history !== undefined) return recordHistory(options.history, readDemoOptions(options), context);
  const baseUrl = toBaseUrl(options.url);
  const fleet = createDemoFleet(readDemoOptions(options));
  const token = readIngestToken(options.token, context);
  if (token) return drive(baseUrl, token, fleet, context);
  await withStore(context, async (store) => {
    await store.carriers.upsert(DEMO_CARRIER);
    await store.vehicles.upsertMany([...fleet.vehicles]);
    await withTemporaryToken(store, DEMO_CARRIER.usdot, 'simulate', (temporary) =>
      drive(baseUrl, temporary, fleet, context),
    );
  });
};

/** `30d` or `12h` in hours. @throws CommandUsageError */
const toHours = (text: string): number => {
  const hours = (parseDuration(text) ?? 0) / HOUR_MS;
  const isWithin = Number.isInteger(hours) && hours >= 1 && hours <= MAX_HISTORY_HOURS;
  return requireValid(isWithin ? hours : null, '--history', 'a time of up to 400 days, as 30d or 12h', text);
};

const recordHistory = async (
  history: string,
  demo: { units: number; seed: number },
  { recordPast, stdout, stderr }: CommandContext,
): Promise<void> => {
  const hours = toHours(history);
  if (!recordPast) throw new CommandFailure('A past is recorded by `npm run service` only.');
  stderr(`Recording ${history} of ${toCount(demo.units, 'demo unit')}: some seconds for each day.`);
  if (!(await recordPast({ ...demo, hours })))
    throw new CommandFailure('The demo fleet has a recorded past already: this would change it.');
  stdout(`The demo fleet of ${toCount(demo.units, 'unit')} has a past of ${history}.`);
};

/** Starts the devices of a demo fleet, which report to the service at an address. */
const startDevices = (
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

const DEFAULT_PORT = 4000;
const DEFAULT_HOST = '127.0.0.1';
const ACTIVE_WINDOW_MIN = { min: 1, max: 7 * 24 * 60, fallback: DEFAULT_ACTIVE_WINDOW_MIN };
const TRUSTED_PROXIES = { min: 0, max: 10, fallback: 0 };
const RETENTION_DAYS = { min: 1, max: 36_500, fallback: 30 };

const readOptions = (argv: string[], context: CommandContext) => {
  const { options } = parseArguments(argv, {
    port: 'text',
    host: 'text',
    'active-window': 'text',
    'trusted-proxies': 'text',
    demo: 'flag',
    units: 'text',
    seed: 'text',
    'print-credentials': 'flag',
    json: 'flag',
  });
  const demo = readDemoOptions(options);
  /** A whole number of an option or, without it, of the environment. */
  const toSetting = (name: 'active-window' | 'trusted-proxies', variable: string, bounds: IntegerBounds) =>
    options[name] === undefined
      ? readInteger(context, variable, bounds)
      : toInteger(options[name], name, bounds);
  const activeWindowMin = toSetting('active-window', 'ACTIVE_WINDOW_MIN', ACTIVE_WINDOW_MIN);
  return {
    trustedProxies: toSetting('trusted-proxies', 'TRUSTED_PROXIES', TRUSTED_PROXIES),
    retentionDays: readInteger(context, 'FIX_RETENTION_DAYS', RETENTION_DAYS),
    port: toInteger(options.port, 'port', { min: 0, max: 65_535, fallback: DEFAULT_PORT }),
    hostname: options.host ?? DEFAULT_HOST,
    activeWindowMs: activeWindowMin * 60_000,
    demo: options.demo ? demo : null,
    isPrintingCredentials: options['print-credentials'] ?? false,
    isJson: options.json ?? false,
  };
};

const serve: Run = (argv, context) => {
  const options = readOptions(argv, context);
  const log = createServiceLog(context);
  return withStore(
    context,
    async (store) => {
      const demo = options.demo === null ? null : await seedDemo(store, options.demo);
      const clients = createClientAddresses(options.trustedProxies);
      const service = createService({
        store,
        now: context.now,
        activeWindowMs: options.activeWindowMs,
        log,
        readClientAddress: clients.read,
      });
      const running = await listen({ service, clients, port: options.port, hostname: options.hostname });
      const simulator = demo === null ? null : startDevices(running.url, demo, context, log);
      printAddress(context, running.url, demo, options);
      await untilAborted(context.signal);
      await simulator?.stop();
      await running.close();
    },
    { log, retentionDays: options.retentionDays },
  );
};

const listen = async (options: ServeOptions): Promise<RunningService> => {
  const { hostname, port } = options;
  try {
    return await serveService(options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'something listens there already; choose another --port' : message;
    throw new CommandFailure(`The service cannot listen on ${hostname}:${port}: ${reason}.`, {
      cause: error,
    });
  }
};

const printAddress = (
  context: CommandContext,
  url: string,
  demo: SeededDemo | null,
  { isJson, isPrintingCredentials }: ReturnType<typeof readOptions>,
): void => {
  const shown = isPrintingCredentials ? demo : null;
  const lines = [`The tracking service listens on ${url} and describes itself at ${url}/docs`];
  if (demo !== null)
    lines.push(`${toCount(demo.fleet.vehicles.length, 'demo unit')} of carrier ${demo.usdot} are under way.`);
  if (shown !== null)
    lines.push(
      `  x-api-key:      ${shown.apiKey}`,
      `  provider-token: ${shown.providerToken}`,
      `  ingest token:   ${shown.ingestToken}`,
    );
  const { apiKey, providerToken, ingestToken } = shown ?? {};
  print(context, isJson, { url, usdot: demo?.usdot, apiKey, providerToken, ingestToken }, lines);
};

export const serveCommand: Command = {
  summary: 'Run the tracking service by itself (what happens when no command is typed)',
  usage: [
    'serve [--port N] [--host HOST] [--active-window MINUTES] [--trusted-proxies N] [--json]',
    'serve --demo [--units N] [--seed N] [--print-credentials]',
  ],
  details: [
    `  --port N              where to listen (default: ${DEFAULT_PORT}; 0 for any that is free)`,
    `  --host HOST           the interface to listen on (default: ${DEFAULT_HOST})`,
    `  --active-window N     how many minutes a unit stays active after its last fix (default: ACTIVE_WINDOW_MIN or ${DEFAULT_ACTIVE_WINDOW_MIN})`,
    '  --trusted-proxies N   how many proxies of yours are before it and add to X-Forwarded-For (default: TRUSTED_PROXIES or 0)',
    `  --demo                drive a demo fleet through ingest, with new credentials at each start`,
    `  --units N, --seed N   the size of the demo fleet (default: ${DEFAULT_DEMO_UNITS}) and what it is drawn from`,
    '  --print-credentials   show the credentials of the demo; nothing secret is shown otherwise',
    '  --json                say where it listens as JSON on one line',
    'It runs until you stop it (Ctrl-C). LOG_LEVEL sets how much it logs (default: info).',
  ],
  run: serve,
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
  run: simulate,
};
