import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '@/service/store/store';
import { createRandom } from '@/service/simulator/random';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { toOwnVehicle } from '@/testing/service/own-recording';
import { OWN_CARRIER, toFix } from '@/testing/service/vehicles';

const ROUNDS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_128);
const WITHIN_MS = 300_000;
/** The server polls for this long before it is killed, at a random moment. */
const [LEAST_MS, MOST_MS] = [20, 600];
const VEHICLES = [1, 2, 3, 4, 5];
const { usdot } = OWN_CARRIER;

let database: TestDatabase;
let store: Store;
let child: ChildProcess | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openStore({ databaseUrl: database.databaseUrl, now: Date.now });
  await store.carriers.upsert(OWN_CARRIER);
  await store.vehicles.upsertMany(VEHICLES.map((n) => toOwnVehicle(n)));
}, WITHIN_MS);
afterAll(async () => {
  child?.kill('SIGKILL');
  await store.close();
  await database.drop();
}, WITHIN_MS);

const startServer = async (): Promise<void> => {
  const args = ['--conditions=react-server', '--import', 'tsx', 'testing/service/handing-over-process.ts'];
  child = spawn(process.execPath, [...args, database.databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
};

const killServer = async (): Promise<void> => {
  const exited = once(child!, 'exit');
  child!.kill('SIGKILL');
  await exited;
};

/** The fixes that are stored, and those of the history, in one order. */
const readFixes = async () => {
  const read = async (text: string): Promise<unknown[]> => (await database.query(text)).map(({ fix }) => fix);
  return [
    await read(
      `SELECT vin || ' ' || fix_at_ms AS fix FROM tracking.fixes JOIN tracking.vehicles ON id = vehicle_id ORDER BY 1`,
    ),
    await read(`SELECT unit || ' ' || fix_ms AS fix FROM linehaul.fixes ORDER BY 1`),
  ] as const;
};

it(
  `has every fix that was acknowledged in the history once, after ${ROUNDS} kills between ingest and hand-over`,
  async () => {
    const random = createRandom(SEED);
    let acknowledged = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      await startServer();
      let isOver = false;
      const reporting = (async () => {
        while (!isOver) {
          const nowMs = Math.floor(Date.now() / 1000) * 1000;
          // A minute of a dead zone, or the newest alone.
          const count = random.pick([1, 1, 12]);
          const fixes = Array.from({ length: count }, (_, i) =>
            toFix(random.pick(VEHICLES), nowMs - i * 5000, { lat: 35 + (acknowledged + i) / 1e6 }),
          );
          await store.fixes.record(usdot, fixes);
          acknowledged += count;
        }
      })();
      await sleep(random.between(LEAST_MS, MOST_MS));
      await killServer();
      isOver = true;
      await reporting;
      const [stored, recorded] = await readFixes();
      const known = new Set(stored);
      expect(
        recorded.filter((fix) => !known.has(fix)),
        `seed ${SEED}, round ${round}`,
      ).toEqual([]);
      expect(new Set(recorded).size, `seed ${SEED}, round ${round}`).toBe(recorded.length);
    }
    await startServer();
    const [stored] = await readFixes();
    expect(stored.length).toBeGreaterThan(ROUNDS);
    await expect.poll(async () => (await readFixes())[1].length, { timeout: 60_000 }).toBe(stored.length);
    const [all, recorded] = await readFixes();
    expect(recorded).toEqual(all);
  },
  WITHIN_MS,
);
