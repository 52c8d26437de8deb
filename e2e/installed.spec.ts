/**
 * Both units of systemd as docs/operations.md installs them, and its commands for backup, restore and upgrade, taken from
 * the document: with their environment, user and folders, but without systemd's sandbox. lib/database/upgrade.test.ts
 * covers databases of earlier versions, service/main.test.ts a PostgreSQL that is killed.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runStatement } from '@/testing/template';
import { createDatabase, readSharedPostgres } from './support/databases';
import { createMachine, type Machine } from './support/machine';
import { findFreePorts } from '@/testing/ports';

const OPERATIONS = 'docs/operations.md';
const WITHIN = { timeout: 60_000 };
const USDOT = '9000077';
const VIN = '1XKYD49X8KJ900001';

// Each test continues on the machine that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

/** The shell commands of the one code block of the document that contains `phrase`. */
const readCommands = (phrase: string): string => {
  const blocks = [...readFileSync(OPERATIONS, 'utf8').matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)];
  const found = blocks.filter(([, , text]) => text!.includes(phrase));
  if (found.length !== 1) throw new Error(`${OPERATIONS} has ${found.length} code blocks with ${phrase}.`);
  const [, indent, text] = found[0]!;
  return text!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
};

let machine: Machine;
let application: string;
let service: string;

test.beforeAll(async () => {
  const [port, servicePort] = (await findFreePorts(2)) as [number, number];
  application = `http://127.0.0.1:${port}`;
  service = `http://127.0.0.1:${servicePort}`;
  machine = await createMachine(
    { '--port 4000': `--port ${servicePort}` },
    { PORT: String(port), MAP_TILES_URL: 'none', DEMO_UNITS: '20', LINEHAUL_TEST_DEMO_HISTORY_HOURS: '0' },
    containers,
  );
});
test.afterAll(() => machine?.remove());

const readStatus = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

const untilReady = (url: string, unit: string) =>
  expect
    .poll(() => readStatus(url), WITHIN)
    .toBe(200)
    .catch((error: Error) => {
      throw new Error(`${error.message}\n${machine.readOutput(unit)}`);
    });

const untilApplicationReady = () => untilReady(`${application}/api/health/ready`, 'linehaul');

/** Runs the command line beside a unit by the command of the document, with other arguments. */
const runBeside = (unit: string, args: string): Promise<string> =>
  machine.run(
    readCommands('service/main.ts help')
      .replace('/var/lib/linehaul', `/var/lib/${unit}`)
      .replace(/help$/m, args),
  );

/** Where the units keep their data, only they can read it, and no database is left running. */
const requireStopped = (unit: string): void => {
  const state = machine.toPath(`/var/lib/${unit}`);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(existsSync(`${state}/postgres/cluster/PG_VERSION`)).toBe(true);
  expect(existsSync(`${state}/postgres/cluster/postmaster.pid`)).toBe(false);
};

/** What containers and the tools of PostgreSQL in them did, in order. */
const done: string[] = [];
let databaseUrl: string;
const onServer = (statement: string) =>
  runStatement(readSharedPostgres().serverUrl, `${statement} ${new URL(databaseUrl).pathname.slice(1)}`);
const containers = {
  docker: async (args: string[]) => void done.push(args.join(' ')),
  dropdb: async (args: string[]) => {
    done.push(`dropdb ${args.join(' ')}`);
    await onServer('DROP DATABASE');
  },
  createdb: async (args: string[]) => {
    done.push(`createdb ${args.join(' ')}`);
    await onServer('CREATE DATABASE');
  },
};

test('the application runs as a unit, installed as documented with .env.example as it is', async () => {
  await machine.run(readCommands('/etc/linehaul.env'));
  const checkout = machine.listCheckout();
  await untilApplicationReady();
  expect(readFileSync(machine.toPath('/etc/linehaul.env'), 'utf8')).toBe(
    readFileSync('.env.example', 'utf8'),
  );
  expect(statSync(machine.toPath('/etc/linehaul.env')).mode & 0o777).toBe(0o600);
  await machine.run('systemctl stop linehaul');
  requireStopped('linehaul');
  expect(machine.listCheckout()).toEqual(checkout);
  expect(machine.readOutput('linehaul')).not.toMatch(/EACCES|EROFS|EPERM|^\s+at /m);
});

test('the tracking service alone runs as a unit beside it, installed as documented', async () => {
  await machine.run(readCommands('/etc/linehaul-tracking.env'));
  await untilReady(`${service}/openapi.json`, 'linehaul-tracking');
  await runBeside('linehaul-tracking', `carriers add ${USDOT} --name "Prairie Freight"`);
  await machine.run('systemctl stop linehaul-tracking');
  requireStopped('linehaul-tracking');
  expect(machine.readOutput('linehaul-tracking')).not.toMatch(/EACCES|EROFS|EPERM|^\s+at /m);
});

let token: string;

/** Adds a carrier with a device, and returns an ingest token. */
const addDevice = async (): Promise<string> => {
  await runBeside('linehaul', `carriers add ${USDOT} --name "Prairie Freight"`);
  await runBeside('linehaul', `vehicles add ${VIN} --usdot ${USDOT} --device-id truck-7`);
  const created = await runBeside('linehaul', `tokens create --usdot ${USDOT} --name phones --json`);
  return (JSON.parse(created) as { token: string }).token;
};

const report = (): Promise<number> =>
  readStatus(`${application}/tracking/ingest/${token}/osmand?id=truck-7&lat=35&lon=-101`);

const listVehicles = (list: (args: string) => Promise<string>): Promise<string> =>
  list(`vehicles list --usdot ${USDOT} --json`);

test('a backup of a unit is restored as documented', async () => {
  const service = (args: string) => runBeside('linehaul', args);
  await machine.run('systemctl start linehaul');
  await untilApplicationReady();
  token = await addDevice();
  await machine.run(readCommands('/var/lib/linehaul/linehaul-$(date'));
  await service(`vehicles remove ${VIN} --yes`);
  expect(await listVehicles(service)).not.toContain(VIN);
  await machine.run(readCommands('service/main.ts restore'));
  await untilApplicationReady();
  expect(await listVehicles(service)).toContain(VIN);
  expect(await report()).toBe(200);
});

test('a cold copy of a unit is restored as documented', async () => {
  const service = (args: string) => runBeside('linehaul', args);
  await machine.run('rm -r /var/lib/linehaul/postgres-before');
  await machine.run(readCommands('cp --archive /var/lib'));
  await untilApplicationReady();
  await service(`vehicles remove ${VIN} --yes`);
  await machine.run(readCommands('cp --archive /var/backups'));
  await untilApplicationReady();
  expect(await listVehicles(service)).toContain(VIN);
});

test('an upgrade as documented starts the new sources on the same data', async () => {
  const main = machine.toPath('/opt/linehaul/server/main.ts');
  writeFileSync(main, readFileSync(main, 'utf8').replace('Linehaul is ready', 'The new Linehaul is ready'));
  await machine.run(readCommands('git pull'));
  await untilApplicationReady();
  expect(machine.readOutput('linehaul')).toContain('The new Linehaul is ready');
  expect(await report()).toBe(200);
  await machine.run('systemctl stop linehaul');
});

/** Adds a vehicle, backs up, loses the vehicle and restores; returns whether it is there again. */
const loseAndRestore = async (
  service: (args: string) => Promise<string>,
  backUp: string,
  restore: string,
): Promise<void> => {
  await service(`carriers add ${USDOT} --name "Prairie Freight"`);
  await service(`vehicles add ${VIN} --usdot ${USDOT}`);
  await machine.run(backUp);
  await service(`vehicles remove ${VIN} --yes`);
  expect(await listVehicles(service)).not.toContain(VIN);
  await machine.run(restore);
  expect(await listVehicles(service)).toContain(VIN);
};

test('a backup of npm start is restored as documented', async () => {
  await loseAndRestore(
    (args) => machine.run(`npm run --silent service -- ${args}`),
    // The other such block has an archive too.
    readCommands('npm run service -- backup /var/backups/linehaul-$(date +%F).sql.gz\n'),
    readCommands('mv .data/postgres'),
  );
});

test('a backup of a PostgreSQL in a container is restored as documented', async () => {
  databaseUrl = await createDatabase();
  const withDatabase = `export DATABASE_URL='${databaseUrl}'\n`;
  await loseAndRestore(
    (args) => machine.run(`${withDatabase}service ${args}`),
    withDatabase + readCommands('pg_dump --username'),
    withDatabase + readCommands('pg_restore --username'),
  );
  expect(done).toEqual([
    'stop linehaul tracking',
    'dropdb --username=linehaul --force linehaul',
    'createdb --username=linehaul linehaul',
    'start linehaul tracking',
  ]);
});

test('a backup file is restored by psql as documented', async () => {
  databaseUrl = await createDatabase();
  const withDatabase = `export DATABASE_URL='${databaseUrl}'\n`;
  await machine.run(withDatabase + readCommands('gunzip --stdout'));
  expect(await listVehicles((args) => machine.run(`${withDatabase}service ${args}`))).toContain(VIN);
});
