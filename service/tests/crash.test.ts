import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type RunningPostgres } from '@/lib/database/embedded/embedded-postgres';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { createRandom } from '../simulator/random';
import { openStore } from '../store/store';
import {
  DEVICE_NUMBERS,
  FIRST_FIX_AT_MS,
  createReportingDevices,
  toDeviceId,
} from '../../testing/service/reporting-devices';
import { CARRIER, toVehicle } from '../../testing/service/vehicles';

const ROUNDS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_121);
const WITHIN_MS = 300_000;
/** Reports are under way for this long before something is killed, at a random moment. */
const LEAST_MS = 50;
const MOST_MS = 600;

/** What is killed: the service, PostgreSQL's first process, one of those that serve a connection, or both programs. */
const VICTIMS = ['service', 'database', 'connection', 'both'] as const;

let dataFolder: string;
let postgres: RunningPostgres;
/** Null from when it is killed until another one runs in its place. */
let postgresPid: number | null;
let token: string;
let service: { child: ChildProcess; url: string } | null = null;

beforeAll(async () => {
  dataFolder = createScratchFolder('linehaul-crash-');
  const onStarted = (pid: number): void => {
    postgresPid = pid;
  };
  postgres = await openPostgres({
    root: dataFolder,
    dataFolder,
    purpose: 'a test',
    supervise: { onStarted },
  });
  postgresPid = postgres.pid;
  const store = await openStore({ databaseUrl: postgres.databaseUrl, now: Date.now });
  await store.carriers.upsert(CARRIER);
  await store.vehicles.upsertMany(DEVICE_NUMBERS.map((n) => toVehicle(n)));
  ({ token } = await store.ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' }));
  await store.close();
}, WITHIN_MS);
afterAll(async () => {
  service?.child.kill('SIGKILL');
  await postgres.stop();
  await removeScratchFolder(dataFolder);
}, WITHIN_MS);

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new Client({ connectionString: postgres.databaseUrl });
  // What is killed takes its connections with it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
};

const untilDatabaseAnswers = async (): Promise<void> => {
  for (;;) {
    try {
      await query('SELECT 1');
      if (postgresPid !== null) return;
    } catch {
      // It is being started again.
      await sleep(50);
    }
  }
};

/** The service as `npm run service` runs it, unless one still runs. */
const runService = async (): Promise<string> => {
  if (service) return service.url;
  const args = ['--import', 'tsx', 'service/main.ts', 'serve', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: postgres.databaseUrl, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  child.stdout!.resume();
  service = { child, url: (JSON.parse(line) as { url: string }).url };
  return service.url;
};

const killService = async (): Promise<void> => {
  const { child } = service!;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  service = null;
};

const killConnection = async (): Promise<void> => {
  const [busy] = await query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'linehaul-tracking' ORDER BY state = 'active' DESC LIMIT 1`,
  );
  if (busy) process.kill(busy.pid, 'SIGKILL');
};

const killDatabase = (): void => {
  process.kill(postgresPid!, 'SIGKILL');
  postgresPid = null;
};

const KILLS: Record<(typeof VICTIMS)[number], () => Promise<void>> = {
  service: killService,
  database: async () => killDatabase(),
  connection: killConnection,
  both: async () => {
    killDatabase();
    await killService();
  },
};

/** The numbers of the fixes that are stored, device by device. */
const readStored = async (): Promise<Set<string>> => {
  const rows = await query<{ device_id: string; number: number }>(
    `SELECT device_id, ((fix_at_ms - $1) / 1000)::int AS number
     FROM tracking.fixes JOIN tracking.vehicles ON vehicles.id = vehicle_id`,
    [FIRST_FIX_AT_MS],
  );
  const stored = new Set(rows.map(({ device_id, number }) => `${device_id} ${number}`));
  expect(stored.size, 'each fix is stored once').toBe(rows.length);
  return stored;
};

const toName = ({ device, number }: { device: number; number: number }): string =>
  `${toDeviceId(device)} ${number}`;

it(
  `has every fix that it acknowledged after ${ROUNDS} kills at random moments of ingest`,
  async () => {
    const random = createRandom(SEED);
    const devices = createReportingDevices();
    for (let round = 1; round <= ROUNDS; round++) {
      const victim = random.pick(VICTIMS);
      const afterMs = random.between(LEAST_MS, MOST_MS);
      const about = `seed ${SEED}, round ${round}: ${victim} after ${Math.round(afterMs)} ms`;
      const before = devices.acknowledged().length;
      const reporting = devices.start(await runService(), token);
      await expect.poll(() => devices.acknowledged().length, { timeout: 20_000 }).toBeGreaterThan(before);
      await sleep(afterMs);
      await KILLS[victim]();
      await reporting.stop();
      await untilDatabaseAnswers();
      const stored = await readStored();
      const lost = devices
        .acknowledged()
        .map(toName)
        .filter((name) => !stored.has(name));
      expect(lost, about).toEqual([]);
      expect(service?.child.exitCode ?? null, `${about}: the service lives on`).toBeNull();
    }
    await devices.catchUp(await runService(), token);
    expect([...(await readStored())].sort()).toEqual(devices.made().map(toName).sort());
    const newest = await query<{ number: number }>(
      'SELECT ((fix_at_ms - $1) / 1000)::int AS number FROM tracking.positions ORDER BY vehicle_id',
      [FIRST_FIX_AT_MS],
    );
    expect(newest.map(({ number }) => number)).toEqual(
      DEVICE_NUMBERS.map((device) => devices.made().filter((fix) => fix.device === device).length),
    );
  },
  WITHIN_MS,
);
