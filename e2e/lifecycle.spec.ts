/**
 * `npm start` from its first line to its end, on the built tree.
 * lib/database/embedded/embedded-postgres.test.ts covers the database alone (a second owner, a kill of the
 * server, an orphan that is taken over); server/start/environment.test.ts covers invalid addresses and ports.
 */
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { LONG } from './support/long';
import { listensOn, startNpm, type NpmStart } from './support/npm-start';
import { findFreePorts } from '@/testing/ports';
import { runCommandLine } from './support/programs';

const SCRATCH = 'linehaul-lifecycle-';
/** The time that Docker gives a program to end; a busy disk can keep PostgreSQL's last checkpoint for seconds. */
const ENDS_WITHIN_MS = 10_000;
const READY = /^Linehaul is ready on http:\/\/127\.0\.0\.1:(\d+) .*$/gm;

test.setTimeout(180_000);

let folder: string;
const started: NpmStart[] = [];

test.beforeAll(() => sweepScratchFolders(SCRATCH));
test.beforeEach(() => {
  folder = createScratchFolder(SCRATCH);
});
test.afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
  await removeScratchFolder(folder);
});

const start = async (port: number): Promise<NpmStart> => {
  const npm = startNpm(folder, port);
  started.push(npm);
  await npm.untilReady();
  return npm;
};

/** Time until none of its processes is left, in ms. */
const measureEnd = async (npm: NpmStart, end: () => void): Promise<number> => {
  const running = npm.readRunning();
  const startedAtMs = Date.now();
  end();
  await npm.ended;
  const tookMs = Date.now() - startedAtMs;
  expect(npm.isAlive(running.supervisorPid)).toBe(false);
  expect(npm.isAlive(running.postgresPid)).toBe(false);
  expect(await listensOn(npm.port)).toBe(false);
  expect(await listensOn(running.postgresPort)).toBe(false);
  expect(npm.hasPostmasterFile()).toBe(false);
  return tookMs;
};

test('npm start refuses an incomplete configuration with all its faults, before it starts anything', async () => {
  const [port] = (await findFreePorts(1)) as [number];
  const npm = startNpm(folder, port, { TRACKING_API_KEY: 'planted-key', POLL_INTERVAL_MS: '5s' });
  started.push(npm);
  expect(await npm.ended).not.toBe(0);
  expect(npm.output()).toContain('TRACKING_API_KEY is set without TRACKING_BASE_URL: set both or neither.');
  expect(npm.output()).toContain('POLL_INTERVAL_MS must be a whole number');
  expect(npm.output()).not.toContain('PostgreSQL');
  expect(npm.output()).not.toContain('planted-key');
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
});

test('npm start refuses a data folder that it cannot write, and says what to do', async () => {
  const [port] = (await findFreePorts(1)) as [number];
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const npm = startNpm(folder, port, { LINEHAUL_DATA_DIR: file });
  started.push(npm);
  expect(await npm.ended).not.toBe(0);
  expect(npm.output()).toContain('The folder for the database cannot be used');
  expect(npm.output()).toContain('Let this user write there');
  expect(npm.output()).not.toMatch(/^\s+at /m);
});

test('npm start reports that its port is in use, and starts nothing', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const npm = startNpm(folder, port);
    started.push(npm);
    expect(await npm.ended).not.toBe(0);
    expect(npm.output()).toContain(`Port ${port} on 127.0.0.1 is in use by another program`);
    expect(npm.output()).not.toContain('PostgreSQL');
  } finally {
    other.close();
  }
});

/** Kills PostgreSQL, and waits until the application has it again and answers a request that reads it. */
const killDatabase = async (npm: NpmStart, readDatabase: () => Promise<Response>): Promise<void> => {
  const { postgresPid, supervisorPid } = npm.readRunning();
  process.kill(postgresPid, 'SIGKILL');
  await expect.poll(npm.output, { timeout: 30_000 }).toContain('PostgreSQL runs again');
  expect(npm.output()).toContain('PostgreSQL ended unexpectedly');
  expect(npm.isAlive(supervisorPid)).toBe(true);
  await expect.poll(async () => (await readDatabase()).status, { timeout: 15_000 }).toBe(200);
  expect(npm.readRunning().postgresPid).not.toBe(postgresPid);
};

interface Reporting {
  vin: string;
  /** The unit's address in the tracking API, and the headers of a key. */
  unitUrl: string;
  headers: Record<string, string>;
  report(): Promise<Response>;
}

/** Adds a carrier with one reporting device, by the command line. */
const addReporting = async (port: number): Promise<Reporting> => {
  const usdot = '9000055';
  const vin = '1M8GDM9AXKP042788';
  const store = { LINEHAUL_DATA_DIR: folder };
  const vehicles = join(folder, 'vehicles.csv');
  writeFileSync(vehicles, `vin,device_id\n${vin},phone-1\n`);
  await runCommandLine(['carriers', 'add', usdot, '--name', 'Panhandle Freight'], store);
  await runCommandLine(['vehicles', 'import', vehicles, '--usdot', usdot], store);
  const owner = ['--usdot', usdot, '--name', 'spec'];
  const [{ token }, key] = await Promise.all([
    runCommandLine<{ token: string }>(['tokens', 'create', ...owner], store),
    runCommandLine<{ apiKey: string; providerToken: string }>(['keys', 'create', ...owner], store),
  ]);
  const tracking = `http://127.0.0.1:${port}/tracking`;
  return {
    vin,
    unitUrl: `${tracking}/api/units/${usdot}/${vin}`,
    headers: { 'x-api-key': key.apiKey, 'provider-token': key.providerToken },
    report: () =>
      fetch(`${tracking}/ingest/osmand?id=phone-1&lat=35.25&lon=-101.75`, {
        headers: { authorization: `Bearer ${token}` },
      }),
  };
};

test(
  'npm start shares its data folder with no other process, survives kills of its database and of itself, and ends cleanly',
  LONG,
  async () => {
    const [port, otherPort] = (await findFreePorts(2)) as [number, number];
    const first = await start(port);
    await test.step('its address is printed once', async () => {
      expect([...first.output().matchAll(READY)].map(([, printed]) => printed)).toEqual([String(port)]);
      expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    });
    await test.step('another process is refused the folder', async () => {
      const second = startNpm(folder, otherPort);
      started.push(second);
      expect(await second.ended).not.toBe(0);
      expect(second.output()).toContain('in use by npm start');
      expect(second.output()).toContain('LINEHAUL_DATA_DIR');
    });
    await test.step('a killed database is restarted', () =>
      killDatabase(first, () => fetch(`http://127.0.0.1:${port}/api/carrier`)));
    const { vin, unitUrl, headers, report } = await addReporting(port);
    await test.step('a kill after that leaves no database behind', async () => {
      const { postgresPid, supervisorPid } = first.readRunning();
      const reported = await report();
      process.kill(supervisorPid, 'SIGKILL');
      expect(reported.status).toBe(200);
      await first.ended;
      await expect.poll(() => first.isAlive(postgresPid), { timeout: 15_000 }).toBe(false);
    });
    await test.step('the next start has the last acknowledged fix, and ends with its whole group', async () => {
      const again = await start(port);
      const unit = await fetch(unitUrl, { headers });
      expect(await unit.json()).toMatchObject({ vin, coordinates: { lat: 35.25, lng: -101.75 } });
      expect(await measureEnd(again, () => again.signalGroup('SIGINT'))).toBeLessThan(ENDS_WITHIN_MS);
    });
    await test.step('a signal to npm alone ends it and its restarted database', async () => {
      const last = await start(port);
      await killDatabase(last, () => fetch(unitUrl, { headers }));
      expect(await measureEnd(last, () => last.signal('SIGTERM'))).toBeLessThan(ENDS_WITHIN_MS);
    });
  },
);
