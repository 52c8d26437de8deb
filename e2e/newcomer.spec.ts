/**
 * A newcomer leaves the demo for trucks of their own, by clicks alone, from an empty data folder to a truck that moves on
 * the map; all of it is there after a restart.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from '@/testing/scratch';
import { openDialog } from './support/dialog';
import { createFleetPage, factOf } from './support/fleet-page';
import { startNpm, type NpmStart } from './support/npm-start';
import { findFreePorts } from '@/testing/ports';
import { readQrCode } from './support/qr-code';
import { createSecretSearch } from './support/secret-search';

const SCRATCH = 'linehaul-newcomer-';
const USDOT = '2345678';
const ANN = { name: 'Ann Manager', email: 'ann@carrier.test', password: 'a long enough password' };
const BEN = { name: 'Ben Dispatcher', email: 'ben@carrier.test', password: 'another long password' };
const FIRST_VIN = '1M8GDM9AXKP042788';
const ACCOUNT = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };
const MANY = Array.from({ length: 10 }, (_, index) => `1XKYD49X4KJ2000${String(index + 10)}`);
/** By clicks, ten minutes are allowed; a script needs less. */
const MINUTES = 10;

test.setTimeout(240_000);

let folder: string;
let npm: NpmStart;
test.beforeAll(() => sweepScratchFolders(SCRATCH));
test.beforeEach(() => {
  folder = createScratchFolder(SCRATCH);
});
test.afterEach(async () => {
  await npm.kill();
  await removeScratchFolder(folder);
});

const start = async (port: number): Promise<string> => {
  // A provider of this machine may be connected.
  npm = startNpm(folder, port, { PRIVATE_ADDRESSES: 'allow' });
  await npm.untilReady();
  return `http://127.0.0.1:${port}`;
};

const checklist = (page: Page) => page.getByRole('group').filter({ hasText: 'Get started' });
const step = (page: Page, title: string) => checklist(page).getByRole('listitem').filter({ hasText: title });
const expectDone = (page: Page, title: string, isDone: boolean) =>
  expect(step(page, title).getByLabel(isDone ? 'Done' : 'To do')).toBeVisible();

const fillPerson = async (page: Page, { name, email, password }: typeof ANN): Promise<void> => {
  await page.getByLabel('Your name').fill(name);
  if ((await page.getByRole('textbox', { name: 'E-mail address' }).count()) > 0)
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await page.getByLabel(/^Password/).fill(password);
};

const chooseOwnTrucks = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole('link', { name: 'Demo — use your own trucks' }).click();
  await page.getByRole('button', { name: 'Track my own trucks' }).click();
  await page.getByLabel('Carrier name').fill('Blue Mesa Hauling');
  await page.getByLabel('USDOT number').fill(`00${USDOT}`);
  await page.getByLabel('MC number').fill('mc 556677');
  await fillPerson(page, ANN);
  await page.getByRole('button', { name: 'Track my own trucks' }).click();
  await page.waitForURL(`${url}/fleets/${USDOT}**`);
  await expect(page.getByText('Blue Mesa Hauling').first()).toBeVisible();
  await expect(page.getByText(/^Demo/)).toHaveCount(0);
  await expectDone(page, 'Add your vehicles', false);
};

/** Counts the clicks of a page from now on, on all of its documents. */
const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(() => {
    const count = ({ isTrusted, detail }: MouseEvent): void => {
      // A key that presses a button is a click without a detail.
      if (isTrusted && detail > 0) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
    };
    addEventListener('click', count, true);
  });
  return () => page.evaluate(() => Number(sessionStorage.clicks));
};

/** Adds a truck without a device: it has an identifier of its own. */
const addFirst = async (page: Page): Promise<void> => {
  await step(page, 'Add your vehicles').getByRole('link', { name: 'Devices' }).click();
  await openDialog(page.getByRole('button', { name: 'Add a vehicle' }));
  await page.getByLabel('VIN').fill(FIRST_VIN);
  await page.getByLabel('Truck number').fill('P-88');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
};

const addMore = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/devices`);
  await openDialog(page.getByRole('button', { name: 'Add a vehicle' }));
  await page.getByLabel('VIN').fill('1FUJGLDR8CLBP8834');
  await page.getByLabel('Truck number').fill('P-89');
  await page.getByRole('dialog').getByText('Device', { exact: true }).click();
  await page.getByLabel('Device ID').fill('truck 89');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await openDialog(page.getByRole('button', { name: 'Import a file' }));
  // As Excel saves "CSV" in a country with a decimal comma.
  const lines = ['sep=;', 'VIN;Truck Number;Plate Number', ...MANY.map((vin, i) => `${vin};Q-${i};Ñ${i}`)];
  await page.getByLabel('Excel workbook or CSV file').setInputFiles({
    name: 'fleet.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'),
  });
  await page.getByRole('button', { name: 'Import 10 vehicles' }).click();
  await expect(page.getByText('Imported: 10 added, 0 changed, 0 unchanged.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Map', exact: true }).click();
};

const PHONE_ORIGIN = 'http://fleet.test:3000';

/** Returns what Traccar Client reads from the QR code, at this machine's own address. */
const connectPhone = async (page: Page): Promise<URL> => {
  await page.getByRole('button', { name: 'Connect a phone to P-88' }).click();
  // This server listens for its own machine alone, where no phone is.
  await page.getByLabel('Address of this server').fill(PHONE_ORIGIN);
  await page.getByRole('button', { name: 'Show the code' }).click();
  const scanned = await readQrCode(page.getByRole('img', { name: /^QR code for Traccar/ }));
  await page
    .getByRole('button', { name: /^(Done|Close)$/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await expectDone(page, 'Add your vehicles', true);
  // It is done when the phone has reached the server.
  await expectDone(page, 'Connect a device', false);
  await expectDone(page, 'See the first position arrive', false);
  return new URL(scanned.replace(PHONE_ORIGIN, new URL(page.url()).origin));
};

/** A position as Traccar Client 10 posts it, with the settings that it scanned. */
const report = async ({ origin, pathname, searchParams }: URL, lat: number, lon: number): Promise<number> => {
  const body = new URLSearchParams({
    id: searchParams.get('id')!,
    timestamp: String(Math.round(Date.now() / 1000)),
    lat: String(lat),
    lon: String(lon),
    speed: '38.9',
    bearing: '90',
    altitude: '300',
    accuracy: '5',
    batt: '87',
  });
  return (await fetch(`${origin}${pathname}`, { method: 'POST', body })).status;
};

const watchFirstReports = async (page: Page, phone: URL): Promise<void> => {
  expect(await report(phone, 41.5, -93.6)).toBe(200);
  await expect(step(page, 'See the first position arrive').getByLabel('Done')).toBeVisible({ timeout: 2500 });
  await expectDone(page, 'Connect a device', true);
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('option', { name: /P-88/ }).click();
  const { panel } = createFleetPage(page);
  await expect(factOf(panel, 'Coordinates')).toHaveText(/^41\.50000/);
  // A distance that a truck can drive in the seconds since: a jump would need confirmation.
  expect(await report(phone, 41.5, -93.5996)).toBe(200);
  await expect(factOf(panel, 'Coordinates')).toHaveText(/93\.59960$/);
};

const inviteColleague = async (page: Page, url: string): Promise<void> => {
  await step(page, 'Invite a colleague').getByRole('link', { name: 'Users' }).click();
  await openDialog(page.getByRole('button', { name: 'Invite a user' }));
  await page.getByRole('dialog').getByLabel('E-mail address').fill(BEN.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Create the invitation' }).click();
  const link = await page.getByLabel('link', { exact: true }).innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  const ben = await page.context().browser()!.newPage();
  await ben.goto(link);
  await fillPerson(ben, BEN);
  await ben.getByRole('button', { name: 'Join' }).click();
  await ben.waitForURL(`${url}/fleets/${USDOT}**`);
  await expect(ben.getByRole('option', { name: /P-88/ })).toBeVisible();
  // The checklist is for managers.
  await expect(checklist(ben)).toHaveCount(0);
  await ben.close();
};

/** The command that the page shows for a new key. */
const makeKey = async (page: Page, url: string): Promise<string> => {
  await page.goto(`${url}/api-keys`);
  await openDialog(page.getByRole('button', { name: 'Add a key' }));
  await page.getByLabel('Name').fill('dispatch board');
  await page.getByRole('button', { name: 'Add the key' }).click();
  return (await page.getByLabel('Try it', { exact: true }).textContent())!;
};

const runCommand = async (command: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command])).stdout;

test('a newcomer connects a provider, which is tried first, and its secrets show nowhere', async ({
  page,
}) => {
  const [port] = (await findFreePorts(1)) as [number];
  const url = await start(port);
  const provider = await startFaultyProvider({ account: ACCOUNT });
  const { apiKey, providerToken } = provider.credentials;
  const seen: string[] = [];
  page.on('response', async (response) => seen.push(await response.text().catch(() => '')));
  try {
    await page.goto(`${url}/fleet-source`);
    await page.getByRole('button', { name: 'Connect a provider' }).click();
    await fillPerson(page, ANN);
    await page.getByRole('textbox', { name: 'Provider token' }).fill(providerToken);
    const connect = async (baseUrl: string, key: string): Promise<void> => {
      await page.getByLabel('Base URL').fill(baseUrl);
      await page.getByRole('textbox', { name: 'API key' }).fill(key);
      await page.getByRole('button', { name: 'Test and connect' }).click();
    };
    provider.behaveForAccount('loginPage');
    await connect(provider.baseUrl, apiKey);
    await expect(page.getByLabel('Base URL')).toHaveAccessibleDescription(
      /does not answer as a tracking API/,
    );
    provider.behaveForAccount('good');
    await connect(provider.baseUrl, 'not-the-key');
    await expect(page.getByRole('textbox', { name: 'API key' })).toHaveAccessibleDescription(
      /refuses this API key/,
    );
    await expect(page.getByRole('textbox', { name: 'API key' })).toBeFocused();
    await connect(provider.baseUrl, apiKey);
    await expect(page.getByRole('heading', { name: 'Mesa Verde Lines, USDOT 9100001' })).toBeVisible();
    await page.getByRole('button', { name: 'Open the map' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.goto(`${url}/fleet-source`);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await expect(page.getByLabel('Base URL')).toHaveValue(provider.baseUrl);
    await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue('');
  } finally {
    await provider.close();
  }
  const search = createSecretSearch([apiKey, providerToken], 'any');
  expect(search.find([...seen, await page.content(), npm.output()].join('\n'))).toEqual([]);
});

test('a newcomer tracks trucks of their own by clicks alone, 12 at most from the demo to the first truck on the map and without an invented identifier, and finds them after a restart', async ({
  page,
}) => {
  const [port] = (await findFreePorts(1)) as [number];
  let url = await start(port);
  const beganAtMs = Date.now();
  const readClicks = await countClicks(page);
  await test.step('leaves the demo', () => chooseOwnTrucks(page, url));
  await test.step('adds a vehicle', () => addFirst(page));
  const phone = await test.step('connects a phone', () => connectPhone(page));
  expect(await readClicks()).toBeLessThanOrEqual(12);
  await test.step('sees its first report arrive, and the truck move', () => watchFirstReports(page, phone));
  await test.step('adds another by form and ten by a file', () => addMore(page, url));
  await test.step('invites a colleague', () => inviteColleague(page, url));
  const command = await test.step('makes a key', () => makeKey(page, url));
  expect(await runCommand(command)).toContain('Blue Mesa Hauling');
  expect(Date.now() - beganAtMs).toBeLessThan(MINUTES * 60_000);

  npm.signal('SIGTERM');
  await npm.ended;
  url = await start(port);
  await page.goto(url);
  await expect(page.getByRole('option', { name: /P-88/ })).toBeVisible();
  await expectDone(page, 'Invite a colleague', true);
  await page.goto(`${url}/devices`);
  const vehicles = page.getByRole('region', { name: 'Vehicles and devices' }).getByRole('row');
  await expect(vehicles.filter({ hasText: /P-8|Q-/ })).toHaveCount(12);
  expect(await runCommand(command)).toContain('Blue Mesa Hauling');
  expect(await report(phone, 41.5, -93.599)).toBe(200);
  expect(npm.output()).not.toMatch(/lh_(key|provider|ingest)_/);
});
