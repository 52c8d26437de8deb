/**
 * A phone is connected by its QR code and its truck moves on the map; a file of vehicles is previewed and
 * imported.
 */
import type { Page } from '@playwright/test';
import { createWorkbook } from '@/testing/service/workbook';
import { DIALOG, expectAccessible } from './support/axe';
import { openDialog } from './support/dialog';
import { DEMO_USDOT, type Application } from './support/application';
import { companyTest as test, expect } from './support/fixtures';
import { createFleetPage, factOf } from './support/fleet-page';
import { readQrCode } from './support/qr-code';

const VIN = '1M8GDM9AXKP042788';
const DEVICE = 'phone & truck 88';

test.setTimeout(120_000);

/** The address in the codes, at which the test reports to this machine's own. */
const PHONE_ORIGIN = 'http://fleet.test:3000';

/** A fix in the format of Traccar Client, configured by the content of its QR code. */
const reportAsTraccar = (
  origin: string,
  scanned: string,
  latitude: number,
  longitude: number,
): Promise<Response> => {
  const { pathname, searchParams } = new URL(scanned);
  return fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      device_id: searchParams.get('id'),
      location: {
        timestamp: new Date().toISOString(),
        coords: { latitude, longitude, speed: 20, heading: 90, accuracy: 5, altitude: 1000 },
        battery: { level: 0.8 },
      },
    }),
  });
};

/** A fix in the format of OwnTracks, configured by the link in the QR code. */
const reportAsOwntracks = (origin: string, scanned: string, lat: number, lon: number): Promise<Response> => {
  const inline = Buffer.from(new URL(scanned).searchParams.get('inline')!, 'base64').toString('utf8');
  const { mode, url, username, password, deviceId } = JSON.parse(inline) as Record<string, string>;
  expect(mode).toBe(3);
  return fetch(url!.replace(PHONE_ORIGIN, origin), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'x-limit-d': deviceId!,
    },
    body: JSON.stringify({ _type: 'location', lat, lon, tst: Math.floor(Date.now() / 1000), tid: '88' }),
  });
};

/** Adds the vehicle and a device, which reports once; returns what the QR code for OwnTracks holds. */
const connectPhone = async (page: Page): Promise<string> => {
  await page.goto('/devices');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await openDialog(page.getByRole('button', { name: 'Add a vehicle' }));
  await page.getByLabel('VIN').fill('1M8GDM9AXKP04278I');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(page.getByLabel('VIN')).toHaveAccessibleDescription(/^Is not a VIN/);
  await expect(page.getByLabel('VIN')).toBeFocused();
  await page.getByLabel('VIN').fill(VIN.toLowerCase());
  await page.getByLabel('Truck number').fill('P-88');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.getByRole('combobox', { name: 'Search' }).fill('p-88');
  const row = page.getByRole('row').filter({ hasText: VIN });
  await expect(row).toContainText('Never');
  // A phone can be connected without a device ID; a tracker has its own.
  await expect(row.getByRole('button', { name: 'Connect a phone to P-88' })).toBeVisible();
  await openDialog(row.getByRole('button', { name: 'Change P-88' }));
  await expect(page.getByRole('dialog', { name: 'Change P-88' })).toBeVisible();
  await page.getByLabel('Device ID').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Device ID')).toHaveAccessibleDescription(/^Is longer than 200 characters\./);
  await expect(page.getByLabel('Device ID')).toBeFocused();
  await page.getByLabel('Device ID').fill(DEVICE);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText(DEVICE);
  await row.getByRole('button', { name: 'Connect a phone to P-88' }).click();
  await expect(page.getByText('A phone would reach itself at this address.')).toBeVisible();
  // This server listens for its own machine alone, where no phone is.
  await page.getByRole('button', { name: 'Show the code' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeHidden();
  await page.getByLabel('Address of this server').fill(PHONE_ORIGIN);
  await page.getByRole('button', { name: 'Show the code' }).click();
  const traccar = await readQrCode(page.getByRole('img', { name: /^QR code for Traccar/ }));
  await page.getByLabel('App').selectOption('OwnTracks');
  const owntracks = await readQrCode(page.getByRole('img', { name: /^QR code for OwnTracks/ }));

  expect((await reportAsTraccar(new URL(page.url()).origin, traccar, 41.5, -93.6)).status).toBe(200);
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('It has reported');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Phone of P-88' })).not.toContainText('Never');
  await expect(row).toContainText('80 %');
  return owntracks;
};

const watchOnMap = async (page: Page, owntracks: string): Promise<void> => {
  const { open, panel, readDrawn } = createFleetPage(page);
  await open(DEMO_USDOT, `?unit=${VIN}&at=@41.5,-93.6,16`);
  await expect(factOf(panel, 'Coordinates')).toHaveText(/^41\.50000/);
  await expect.poll(async () => (await readDrawn()).selectedAt).not.toBeNull();
  const { x } = (await readDrawn()).selectedAt!;
  // A distance that a truck can drive in the seconds since: a jump would need confirmation.
  expect((await reportAsOwntracks(new URL(page.url()).origin, owntracks, 41.5, -93.5996)).status).toBe(200);
  await expect(factOf(panel, 'Coordinates')).toHaveText(/93\.59960$/);
  // 33 m to the east, at 1.8 m per pixel.
  await expect.poll(async () => (await readDrawn()).selectedAt!.x).toBeGreaterThan(x + 12);
};

const meetRefusals = async (page: Page): Promise<void> => {
  await page.goto('/devices');
  await openDialog(page.getByRole('button', { name: 'Add a vehicle' }));
  const [vin, device] = [page.getByLabel('VIN'), page.getByLabel('Device ID')];
  await vin.fill(VIN);
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(vin).toHaveAccessibleDescription('The vehicle is in the list already.');
  await expect(vin).toBeFocused();
  // A VIN of one repeated digit passes its own check (49 CFR 565.15).
  await vin.fill('1'.repeat(17));
  await page.getByRole('dialog').getByText('Device', { exact: true }).click();
  await device.fill(DEVICE);
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await expect(device).toHaveAccessibleDescription(/^Another vehicle has this device id\./);
  await expect(device).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeEmpty();
  await page.getByRole('button', { name: 'Cancel' }).click();
};

const revokeToken = async (page: Page, url: string): Promise<void> => {
  await openDialog(page.getByRole('button', { name: 'Add a token' }));
  await page.getByLabel('Name').fill('tracker');
  await page.getByRole('button', { name: 'Add the token' }).click();
  const token = (await page.getByLabel('Ingest token', { exact: true }).textContent())!;
  await page.getByRole('button', { name: 'Done' }).click();
  const scanned = `${url}/tracking/ingest/${token}/traccar?id=${encodeURIComponent(DEVICE)}`;
  expect((await reportAsTraccar(new URL(page.url()).origin, scanned, 41.5, -93.4)).status).toBe(200);
  await page.getByRole('button', { name: 'Revoke tracker' }).click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'tracker' })).toContainText('Revoked');
  expect((await reportAsTraccar(new URL(page.url()).origin, scanned, 41.5, -93.3)).status).toBe(401);
};

/** A tracker whose device ID no vehicle has is assigned in two clicks, and then its report is stored. */
const assignUnknown = async (page: Page, url: string): Promise<void> => {
  await openDialog(page.getByRole('button', { name: 'Add a token' }));
  await page.getByLabel('Name').fill('yard trackers');
  await page.getByRole('button', { name: 'Add the token' }).click();
  const token = (await page.getByLabel('Ingest token', { exact: true }).textContent())!;
  await page.getByRole('button', { name: 'Done' }).click();
  const report = () =>
    fetch(`${url}/tracking/ingest/osmand?token=${token}&id=862345670123456&lat=41.5&lon=-93.6`);
  expect((await report()).status).toBe(404);
  await page.getByRole('link', { name: 'Refused reports' }).click();
  await expect(page.getByRole('table', { name: 'Last refusals' })).toContainText(
    'No vehicle has this device',
  );
  await expectAccessible(page);
  await openDialog(page.getByRole('button', { name: 'Assign… 862345670123456' }));
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('No unknown device has reported.')).toBeVisible();
  expect((await report()).status).toBe(200);
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
};

const importFile = async (page: Page, application: Application): Promise<void> => {
  await page.getByRole('button', { name: 'Import a file' }).click();
  const choose = (name: string, file: string | Uint8Array) =>
    page.getByLabel('Excel workbook or CSV file').setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(file),
    });
  await choose('fleet.pdf', '%PDF-1.7');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The file is a PDF.');
  await choose(
    'fleet.csv',
    ['vin,truck_number,device_id', 'NOVIN,1,a', `1XKYD49X3KJ200001,2,${DEVICE}`].join('\r\n'),
  );
  await expect(page.getByRole('region', { name: 'Errors' }).getByRole('row').nth(1)).toContainText(/^2vin/);
  await page.getByRole('button', { name: 'Duplicates 1' }).click();
  await expect(page.getByRole('region', { name: 'Duplicates' })).toContainText(`belongs to ${VIN} already`);
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await choose(
    'fleet.xlsx',
    createWorkbook([
      ['VIN', 'Truck Number'],
      ['1XKYD49X3KJ200001', 'Q-1'],
      [VIN, 'P-89'],
    ]),
  );
  await expect(page.getByText('Ready to import: 1 to add, 1 to change, 0 unchanged.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Added' })).toContainText('VIN: 1989 or 2019 Kenworth');
  await page.getByRole('button', { name: 'Changed 1' }).click();
  await expect(page.getByRole('region', { name: 'Changed' })).toContainText('truck number: P-88 → P-89');
  await page.getByRole('button', { name: 'Import 2 vehicles' }).click();
  await expect(page.getByText('Imported: 1 added, 1 changed, 0 unchanged.')).toBeVisible();
  const listed = (await (await application.fetch('/api/devices')).json()) as {
    devices: { vin: string; truckNumber: string; deviceId: string | null }[];
  };
  expect(listed.devices.filter(({ truckNumber }) => ['Q-1', 'P-89'].includes(truckNumber))).toMatchObject([
    { vin: VIN, deviceId: DEVICE },
    { vin: '1XKYD49X3KJ200001', deviceId: 'truck-kj200001' },
  ]);
};

test('a vehicle is added, its phone connected by a QR code and cut off, and a file of vehicles imported', async ({
  page,
  company: { application },
}) => {
  const owntracks = await test.step('a phone is connected', () => connectPhone(page));
  await test.step('its truck moves on the map', () => watchOnMap(page, owntracks));
  await test.step('a VIN or a device of another vehicle is refused beside its field', () =>
    meetRefusals(page));
  await test.step('a phone whose token is revoked is refused at once', () =>
    revokeToken(page, application.url));
  await test.step('an unknown device is assigned', () => assignUnknown(page, application.url));
  await test.step("a file's faults are listed before the import", () => importFile(page, application));
});
