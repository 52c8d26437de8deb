import { readFileSync } from 'node:fs';
import { createServer, request as askNode, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { SCRIPTED_UNITS } from '@/testing/tracking/scripted-units';
import { startApplication, type Application } from './support/application';
import { expect, oneAccountTest as test } from './support/fixtures';
import { LONG } from './support/long';
import { METRICS_TOKEN } from './support/shared';
import { watchViolations } from './support/violations';

const OWN = '9100001';
/** One transparent pixel. */
const TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

test.setTimeout(150_000);

/** Of an application behind a proxy that limits its clients, has no metrics, and loads tiles. */
let limitedProvider: FaultyProvider;
let limited: Application;
const tileReferrers: (string | undefined)[] = [];
const tiles = createServer(({ headers }, response) => {
  tileReferrers.push(headers.referer);
  response.writeHead(200, { 'content-type': 'image/png' }).end(TILE);
});

test.beforeAll(async ({}, testInfo) => {
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  limitedProvider = await startFaultyProvider();
  limited = await startApplication(
    {
      ...limitedProvider.variables,
      CLIENT_REQUESTS_PER_S: '5',
      TRUSTED_PROXIES: '1',
      MAP_TILES_URL: `http://127.0.0.1:${(tiles.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
    },
    testInfo.outputPath('limited.log'),
  );
});
test.afterAll(async () => {
  await limited?.stop();
  await limitedProvider?.close();
  tiles.closeAllConnections();
  tiles.close();
});

/** A request that fetch cannot make: with any header, and a target of any length. */
const ask = (
  url: string,
  headers: IncomingHttpHeaders = {},
): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
  new Promise((resolve, reject) => {
    askNode(url, { headers: headers as Record<string, string> }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });

test('the metrics count polls and their failures, for the bearer of the token', async ({
  oneAccount: { application, provider },
}) => {
  const read = async () => {
    const response = await fetch(`${application.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    return response.text();
  };
  await application.fetch(`/api/fleets/${OWN}/live`);
  await expect.poll(read).toContain(`linehaul_polls_total{usdot="${OWN}",outcome="ok"}`);
  expect(await read()).toContain(`linehaul_active_units{usdot="${OWN}"} ${SCRIPTED_UNITS.length}`);
  provider.behave('9100021', 'serverError');
  await application.fetch(`/api/fleets/9100021/live`);
  await expect.poll(read).toContain('linehaul_polls_total{usdot="9100021",outcome="status"}');
  expect(await read()).toMatch(/linehaul_http_answers_total\{status="2xx"\} \d/);
  expect((await ask(`${application.url}/metrics`)).status).toBe(401);
  // Without a configured token, the answer does not reveal that metrics exist.
  expect((await ask(`${limited.url}/metrics`, { authorization: `Bearer ${METRICS_TOKEN}` })).status).toBe(
    404,
  );
});

test('the log has a line for each request, with the id of the answer', async ({
  oneAccount: { application, provider, logFile },
}) => {
  const readLog = () => readFileSync(logFile, 'utf8');
  await application.fetch(`/api/fleets/${OWN}/live`);
  const { headers } = await ask(`${application.url}/api/fleets/${OWN}/roster?secret=1`, {
    'x-request-id': 'trace-4711',
    cookie: application.cookie,
  });
  expect(headers['x-request-id']).toBe('trace-4711');
  const lines = () =>
    readLog()
      .split('\n')
      .filter((line) => line.includes('trace-4711'));
  await expect.poll(lines).toHaveLength(1);
  expect(JSON.parse(lines()[0]!)).toMatchObject({
    level: 'debug',
    method: 'GET',
    path: `/api/fleets/${OWN}/roster`,
    status: 200,
  });
  const { TRACKING_API_KEY: key, TRACKING_PROVIDER_TOKEN: token } = provider.variables;
  // Secrets pasted into an address.
  for (const secret of [METRICS_TOKEN, key, token]) await ask(`${application.url}/api/pasted/${secret}`);
  await expect.poll(() => readLog().split('/api/pasted/[hidden]')).toHaveLength(4);
  const log = readLog();
  for (const secret of [METRICS_TOKEN, key, token]) expect(log).not.toContain(secret);
  // Polls do not log the vehicles of a fleet, a list worth stealing; requests for one vehicle name it.
  const others = log.split('\n').filter((line) => !line.includes('"path":'));
  expect(SCRIPTED_UNITS.filter(({ vin }) => others.join().includes(vin))).toEqual([]);
});

test('addresses, headers and page bodies that are too long are refused', async ({
  oneAccount: { application },
}) => {
  expect((await ask(`${application.url}/api/health?${'x'.repeat(5000)}`)).status).toBe(414);
  expect((await ask(`${application.url}/status?${'x'.repeat(5000)}`)).status).toBe(414);
  expect((await ask(`${application.url}/api/health`, { 'x-long': 'x'.repeat(20_000) })).status).toBe(431);
  expect((await ask(`${application.url}/api/health`)).status).toBe(200);
});

test('an address that cannot be decoded is answered as unknown, and prints no stack', async ({
  oneAccount: { application, logFile },
}) => {
  const live = await application.fetch('/api/fleets/%E0%A4%A/live');
  expect(live.status).toBe(400);
  expect(await live.json()).toMatchObject({ code: 'malformed-usdot' });
  for (const path of ['/fleets/%E0%A4%A', '/%zz'])
    expect((await ask(`${application.url}${path}`, { cookie: application.cookie })).status, path).toBe(404);
  const lines = readFileSync(logFile, 'utf8').split('\n');
  expect(lines.filter((line) => /URIError|malformed URI|DecodeError/.test(line))).toEqual([]);
});

test('a client over its limit waits, whatever headers it sends; others do not', LONG, async () => {
  const behind = (client: string) => ({
    'x-forwarded-for': `10.0.0.${Math.floor(Math.random() * 255)}, ${client}`,
  });
  const askAtOnce = (requests: number) =>
    Promise.all(
      Array.from({ length: requests }, () => ask(`${limited.url}/api/health`, behind('198.51.100.7'))),
    );
  expect((await askAtOnce(50)).every(({ status }) => status === 200)).toBe(true);
  // Its allowance fills again meanwhile: a busy machine must not be slower than that.
  const refused = (await askAtOnce(300)).find(({ status }) => status === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  // All at once: a busy machine takes longer for a page than the allowance for one more.
  const pages = Array.from({ length: 100 }, () => ask(`${limited.url}/status`, behind('198.51.100.7')));
  expect((await Promise.all(pages)).map(({ status }) => status)).toContain(429);
  expect((await ask(`${limited.url}/api/health`, behind('198.51.100.8'))).status).toBe(200);
  // The client gets through again without help.
  await expect
    .poll(async () => (await ask(`${limited.url}/api/health`, behind('198.51.100.7'))).status)
    .toBe(200);
});

test('browsers are required to keep to TLS if a trusted proxy reports that they use it', async ({
  oneAccount: { application },
}) => {
  const client = { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'https' };
  const { headers } = await ask(`${limited.url}/status`, client);
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  const untrusted = await ask(`${application.url}/status`, client);
  expect(untrusted.headers).not.toHaveProperty('strict-transport-security');
});

test('the routes of our own keys and devices are absent where a provider has them', async ({
  oneAccount: { application },
}) => {
  for (const path of ['/api/api-keys', '/api/devices'])
    expect((await application.fetch(path)).status, path).toBe(404);
});

test('tiles of another server are loaded, with a Referer that names the site', async ({ page, context }) => {
  await limited.signIn(context);
  const found = await watchViolations(page);
  await page.goto(`${limited.url}/fleets/${OWN}`);
  await expect(page.locator('.lh-raster img.leaflet-tile-loaded').first()).toBeAttached();
  expect(tileReferrers).toContain(`${limited.url}/`);
  expect(found()).toEqual([]);
});

test(
  'the status page reports what fails in plain words, what was salvaged, and the recovery',
  LONG,
  async ({ page, oneAccount: { application, provider } }) => {
    provider.behave('9100022', 'good');
    for (const usdot of [OWN, '9100022']) await application.fetch(`/api/fleets/${usdot}/live`);
    await page.goto('/status');
    const card = page.getByRole('article', { name: 'USDOT 9100022' });
    await expect(card).toContainText('Live.');
    await expect(card).toContainText('3 active trucks');
    await expect(page.getByRole('article', { name: 'Mesa Verde Lines' })).toBeVisible();
    await expect(page.getByText(/^PostgreSQL/)).toBeVisible();
    provider.behave('9100023', 'serverError');
    await application.fetch(`/api/fleets/9100023/live`);
    const unread = page.getByRole('article', { name: 'USDOT 9100023' });
    await expect(unread).toContainText('Nothing has come from it yet.');
    await expect(unread).toContainText('Trucks in the last answernone yet');
    await expect(unread).toContainText('Rosternot read yet');
    provider.behave('9100023', 'good');
    await expect(card).toContainText('The last answer was complete');
    provider.behave('9100022', 'numbersAsStrings');
    await expect(card).toContainText(/\d+ fields repaired/);
    await expect(card.getByText(/read as/).first()).toBeHidden();
    await card.getByText(/fields repaired/).click();
    await expect(card.getByText(/read as/).first()).toBeVisible();
    provider.behave('9100022', 'serverError');
    await expect(card).toContainText(/Failing since \d{1,2}:\d\d:\d\d [AP]M/);
    await expect(card).toContainText('The tracking provider has a fault of its own (status 500).');
    await expect(page.getByRole('status')).toContainText('Needs a look');
    await expect(card).toContainText(/since \d{1,2}:\d\d [AP]M, .* so far · \d+ polls?/);
    await expect(card.getByText('TrackingError [status]')).toBeHidden();
    await card.getByText('Technical details').focus();
    await page.keyboard.press('Enter');
    await expect(card.getByText('TrackingError [status]')).toBeVisible();
    provider.behave('9100022', 'good');
    await application.fetch(`/api/fleets/9100022/live`);
    await expect(card).toContainText('Live.', { timeout: 90_000 });
    await expect(card).toContainText('Last problems');
    await expect(card).not.toContainText('so far');
  },
);

test(
  'the status page keeps its data when the server is gone, and shows how old it is',
  LONG,
  async ({ page, context, oneAccount }) => {
    await oneAccount.application.fetch(`/api/fleets/${OWN}/live`);
    await page.goto('/status');
    const card = page.getByRole('article', { name: 'Mesa Verde Lines' });
    await expect(card).toContainText('Live.');
    await context.setOffline(true);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      /Showing the status from \d{1,2}:\d\d:\d\d [AP]M/,
    );
    await expect(page.getByRole('status')).toContainText('Last known');
    // The feed is not shown as live either.
    await expect(card).toContainText('Last known: live.');
    await context.setOffline(false);
    await expect(page.getByRole('main').getByRole('alert')).toBeHidden();
  },
);
