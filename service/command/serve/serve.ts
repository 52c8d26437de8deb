import { untilAborted } from '@/lib/base/process/signals';
import { createClientAddresses } from '../../access/client-address';
import { seedDemo, type SeededDemo } from '../../demo/seed';
import { serveService, type RunningService, type ServeOptions } from '../../serve';
import { DEFAULT_ACTIVE_WINDOW_MIN, createService } from '../../service';
import { parseArguments, readInteger, toInteger } from '../arguments';
import { CommandFailure, type Command, type CommandContext } from '../command';
import { toCount, writeJson, createServiceLog } from '../output';
import { withStore } from '../with-store';
import { DEFAULT_DEMO_UNITS, readDemoOptions, startDevices } from './simulate';

const DEFAULT_PORT = 4000;
const DEFAULT_HOST = '127.0.0.1';
const ACTIVE_WINDOW_MIN = { min: 1, max: 7 * 24 * 60, fallback: DEFAULT_ACTIVE_WINDOW_MIN };
const TRUSTED_PROXIES = { min: 0, max: 10, fallback: 0 };
const RETENTION_DAYS = { min: 1, max: 36_500, fallback: 30 };

interface ServeArguments {
  port: number;
  hostname: string;
  activeWindowMs: number;
  trustedProxies: number;
  retentionDays: number;
  demo: { units: number; seed: number } | null;
  isPrintingCredentials: boolean;
  isJson: boolean;
}

const readOptions = (argv: string[], context: CommandContext): ServeArguments => {
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
  const activeWindow = options['active-window'];
  const activeWindowMin =
    activeWindow === undefined
      ? readInteger(context, 'ACTIVE_WINDOW_MIN', ACTIVE_WINDOW_MIN)
      : toInteger(activeWindow, 'active-window', ACTIVE_WINDOW_MIN);
  const proxies = options['trusted-proxies'];
  const trustedProxies =
    proxies === undefined
      ? readInteger(context, 'TRUSTED_PROXIES', TRUSTED_PROXIES)
      : toInteger(proxies, 'trusted-proxies', TRUSTED_PROXIES);
  return {
    trustedProxies,
    retentionDays: readInteger(context, 'FIX_RETENTION_DAYS', RETENTION_DAYS),
    port: toInteger(options.port, 'port', { min: 0, max: 65_535, fallback: DEFAULT_PORT }),
    hostname: options.host ?? DEFAULT_HOST,
    activeWindowMs: activeWindowMin * 60_000,
    demo: options.demo ? demo : null,
    isPrintingCredentials: options['print-credentials'] ?? false,
    isJson: options.json ?? false,
  };
};

const run = (argv: string[], context: CommandContext): Promise<number> => {
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
      return 0;
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
  { isJson, isPrintingCredentials }: ServeArguments,
): void => {
  const credentials =
    demo !== null && isPrintingCredentials
      ? { apiKey: demo.apiKey, providerToken: demo.providerToken, ingestToken: demo.ingestToken }
      : null;
  if (isJson) {
    writeJson(context, { url, ...(demo === null ? {} : { usdot: demo.usdot }), ...credentials });
    return;
  }
  context.stdout(`The tracking service listens on ${url} and describes itself at ${url}/docs`);
  if (demo !== null) {
    context.stdout(
      `${toCount(demo.fleet.vehicles.length, 'demo unit')} of carrier ${demo.usdot} are under way.`,
    );
  }
  if (credentials !== null) {
    context.stdout(`  x-api-key:      ${credentials.apiKey}`);
    context.stdout(`  provider-token: ${credentials.providerToken}`);
    context.stdout(`  ingest token:   ${credentials.ingestToken}`);
  }
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
  run,
};
