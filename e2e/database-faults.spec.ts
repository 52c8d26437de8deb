/**
 * The embedded service's database is away at the start and midway, and its disk is full: what the screen, the
 * devices and the health answer report, and the recovery without help. service/tests/crash.test.ts covers the
 * loss of acknowledged fixes.
 */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { openPostgres, type RunningPostgres } from '@/lib/database/embedded/embedded-postgres';
import { fillDisk } from '@/testing/full-disk';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { startTcpProxy, throughProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { DEMO_USDOT, startApplication, type Application } from './support/application';
import { expectLive, list, notices, pill, watchLoads } from './support/fleet-page';

const SCRATCH = 'linehaul-database-faults-';
const CLOCK = /\d{1,2}:\d\d:\d\d [AP]M/;
const RECOVERS_WITHIN = { timeout: 45_000 };

test.describe.configure({ mode: 'serial' });
test.setTimeout(150_000);

let folder: string;
let postgres: RunningPostgres;
let proxy: TcpProxy;
let application: Application;
let log: string;

test.beforeAll(async ({}, testInfo) => {
  await sweepScratchFolders(SCRATCH);
  folder = createScratchFolder(SCRATCH);
  postgres = await openPostgres({ root: folder, dataFolder: folder, purpose: 'a test', durable: false });
  proxy = await startTcpProxy(Number(new URL(postgres.databaseUrl).port), { isCut: true });
  log = testInfo.outputPath('application.log');
  application = await startApplication(
    // Unset, the source would be read from the database first: app/api/fleet-source.test.ts.
    { DATABASE_URL: throughProxy(postgres.databaseUrl, proxy), DEMO_UNITS: '20', FLEET_SOURCE: 'demo' },
    log,
  );
});
test.afterAll(async () => {
  await application?.stop();
  await proxy?.close();
  await postgres?.stop();
  await removeScratchFolder(folder);
});

const options = (page: Page) => page.getByRole('listbox', { name: 'Trucks' }).getByRole('option');

/** Has the form of a token, so that it must be looked up in the database. */
const TOKEN = `lh_ingest_${'A'.repeat(43)}`;
/** A report of a device whose token cannot be checked while the database is away. */
const report = () => fetch(`${application.url}/tracking/ingest/${TOKEN}/osmand?id=x&lat=35&lon=-101`);

const readDatabase = async (): Promise<unknown> => {
  const response = await fetch(`${application.url}/api/health`);
  return ((await response.json()) as { database: unknown }).database;
};

test('the application starts without its database, says so, and shows the fleet by itself once the database is there', async ({
  context,
  page,
}) => {
  const fleet = await context.newPage();
  await page.goto(application.url);
  await expect(page.getByRole('heading', { name: 'No fleet to open' })).toBeVisible();
  await expect(page.getByText('cannot reach its database')).toBeVisible();
  await fleet.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expect(list(fleet).getByRole('heading', { name: 'No data yet' })).toBeVisible();
  await expect(list(fleet)).toContainText('Linehaul cannot reach its database');
  await expect(list(fleet)).toContainText(CLOCK);

  const refused = await report();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect.poll(readDatabase).toMatchObject({ state: 'away', code: 'ECONNREFUSED' });

  const loads = watchLoads(fleet);
  await proxy.restore();
  await expect(pill(fleet)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(options(fleet).first()).toBeVisible(RECOVERS_WITHIN);
  // The map may have added its position to the address.
  await expect(page).toHaveURL(({ pathname }) => pathname === `/fleets/${DEMO_USDOT}`, RECOVERS_WITHIN);
  await expect.poll(readDatabase).toMatchObject({ state: 'ok' });
  expect(loads()).toBe(0);
});

test('the fleet stays on the screen while its database is away, and goes on afterward', async ({
  context,
  page,
}) => {
  await page.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expectLive(page);
  const shown = await options(page).count();
  expect(shown).toBeGreaterThan(0);
  const loads = watchLoads(page);

  await proxy.cut();
  await expect(pill(page)).toContainText(/Delayed · data from \d{1,2}:\d\d:\d\d [AP]M/);
  await expect(notices(page)).toContainText('Linehaul cannot reach its database');
  await expect(notices(page)).toContainText(CLOCK);
  await expect(options(page)).toHaveCount(shown);
  const refused = await report();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  await expect.poll(readDatabase).toMatchObject({ state: 'away' });
  const devices = await context.newPage();
  await devices.goto(`${application.url}/devices`);
  const failure = devices.getByRole('main').getByRole('alert');
  await expect(failure).toHaveText('This server cannot reach its database.');

  await proxy.restore();
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices(page)).toBeHidden();
  await expect.poll(readDatabase).toMatchObject({ state: 'ok' });
  expect(loads()).toBe(0);
  await expect(devices.getByRole('row').nth(3)).toBeVisible(RECOVERS_WITHIN);
  await expect(failure).toBeHidden();
});

test('a full disk is shown with still positions, and motion resumes when there is room', async ({ page }) => {
  await page.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  const loads = watchLoads(page);

  const disk = await fillDisk(postgres.databaseUrl, 'tracking.fixes');
  await expect(notices(page)).toContainText('The disk of the Linehaul server is full', RECOVERS_WITHIN);
  await expect(pill(page)).toContainText(/Delayed · data from/);
  await expect(options(page).first()).toBeVisible();
  await expect.poll(readDatabase).toMatchObject({ state: 'full' });

  await disk.makeRoom();
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices(page)).toBeHidden();
  expect(loads()).toBe(0);
});

test('none of these faults is an uncaught error', () => {
  expect(readFileSync(log, 'utf8')).not.toMatch(/unhandled ?rejection|uncaught ?exception/i);
});
