import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { collectAnswers, readReceivedText, toReceivedText, type ReceivedText } from './support/received';
import { createSecretSearch } from './support/secret-search';
import type { Target } from './support/target';

/** Time for nine pages in a row on a busy machine. */
test.setTimeout(180_000);
const SLOWEST = { timeout: 60_000 };

const USER = 'driver';
/** Wrong secrets, with one letter mistyped; these must not be repeated either. */
const WRONG_TOKEN = 'lh_ingest_wrong-token-of-the-spec-0123456789';
const WRONG_KEY = 'lh_key_wrong-key-of-the-spec-0123456789';
const WRONG_PROVIDER_TOKEN = 'lh_provider_wrong-token-of-the-spec-0123456789';

const expectNoSecret = (
  received: readonly ReceivedText[],
  { apiKey, providerToken, ingestToken }: Target,
): void => {
  const search = createSecretSearch([apiKey, providerToken, ingestToken], USER);
  const found = received.flatMap(({ where, text }) =>
    search.find(text).map((secret) => `${secret.slice(0, 12)}… in ${where}`),
  );
  expect(found).toEqual([]);
};

const readLogs = ({ logFiles }: Target): ReceivedText[] => logFiles.map(readReceivedText);

const readVin = async (request: APIRequestContext, usdot: string): Promise<string> => {
  const { vins } = (await (await request.get(`/api/fleets/${usdot}/roster`)).json()) as { vins: string[] };
  const [vin] = vins;
  if (!vin) throw new Error(`The roster of ${usdot} is empty when the demo fleet is expected.`);
  return vin;
};

const openPages = async (page: Page, usdot: string, vin: string): Promise<void> => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: /^Live/ })).toBeVisible(SLOWEST);
  await page.goto(`/fleets/${usdot}?unit=${vin}`);
  await expect(page.getByRole('complementary')).toContainText(vin, SLOWEST);
  await page.goto(`/fleets/${usdot}/units/${vin}`);
  await expect(page.getByRole('main')).toContainText(vin, SLOWEST);
  await page.goto(`/fleets/${usdot}/roster`);
  await expect(page.getByRole('main')).toContainText(', as of ', SLOWEST);
  await page.goto('/status');
  await expect(page.getByRole('article').first()).toContainText('USDOT', SLOWEST);
  for (const wrong of [
    '/fleets/no-number',
    `/fleets/${usdot}/units/no-vin`,
    '/fleets/9100099',
    '/no-such-page',
  ]) {
    await page.goto(wrong);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
};

test('the search finds a planted secret in each of its forms, and ignores documentation', () => {
  const secret = 'lh_key_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE';
  const search = createSecretSearch([secret, 'plain-secret'], USER);
  expect(search.find(`{"key":"${secret}"}`)).toEqual([secret]);
  expect(search.find('GET /?token=plain-secret&id=7')).toEqual(['plain-secret']);
  const basic = Buffer.from(`${USER}:plain-secret`).toString('base64');
  expect(search.find(`authorization: Basic ${basic}`)).toHaveLength(1);
  expect(search.find(`…/ingest/${WRONG_TOKEN}/osmand`)).toEqual([WRONG_TOKEN]);
  expect(search.find('Keys begin with lh_key_, their tokens with lh_provider_.')).toEqual([]);
});

test('no page, script or answer that a browser receives holds a secret', async ({
  context,
  page,
  request,
  target,
}) => {
  const collect = collectAnswers(context);
  await openPages(page, target.usdot, await readVin(request, target.usdot));
  const received = await collect();
  for (const kind of [/\/fleets\/\d+$/, /\.js(\?|$)/, /\.css(\?|$)/, /\/live/, /\/roster/]) {
    expect(
      received.some(({ where }) => kind.test(where)),
      String(kind),
    ).toBe(true);
  }
  expectNoSecret(received, target);
});

test('no route repeats a secret, in success or in failure', async ({ request, target }) => {
  const { usdot, trackingUrl, apiKey, providerToken, ingestToken } = target;
  const vin = await readVin(request, usdot);
  const own = [
    '/api/health',
    '/api/health/ready',
    '/api/status',
    '/metrics',
    '/api/carrier',
    '/api/fleets',
    `/api/fleets/${usdot}/carrier/${vin}`,
    `/api/fleets/${usdot}/live`,
    `/api/fleets/${usdot}/live/${vin}`,
    `/api/fleets/${usdot}/roster`,
    `/api/fleets/${usdot}/units/${vin}`,
    '/api/fleets/no-number/live',
    '/api/fleets/9100099/live',
    '/api/fleets/9100099/roster',
    `/api/fleets/${usdot}/units/1M8GDM9AXKP042788`,
    `/api/fleets/${usdot}/units/no-vin`,
    `/api/fleets/${usdot}/live/unknown`,
    `/api/fleets/${usdot}/carrier/1M8GDM9AXKP042788`,
    '/api/no-such-route',
  ];
  const right = { 'x-api-key': apiKey, 'provider-token': providerToken };
  const wrong = { 'x-api-key': WRONG_KEY, 'provider-token': WRONG_PROVIDER_TOKEN };
  const asked: [path: string, headers?: Record<string, string>][] = [
    ['/openapi.json'],
    ['/docs'],
    ['/api/carrier'],
    ['/api/carrier', right],
    ['/api/carrier', wrong],
    ['/api/carrier', { ...right, 'provider-token': WRONG_PROVIDER_TOKEN }],
    ['/api/units/9100099', right],
    [`/api/units/${usdot}/1M8GDM9AXKP042788`, right],
    ['/api/units/no-number', right],
    [`/no-such-route/${apiKey}`, right],
  ];
  const fix = 'id=no-such-device&lat=35.2&lon=-101.8';
  const basic = Buffer.from(`${USER}:${ingestToken}`).toString('base64');
  const reported: [path: string, headers?: Record<string, string>][] = [
    [`/ingest/${WRONG_TOKEN}/osmand?${fix}`],
    [`/ingest/osmand?${fix}&token=${WRONG_TOKEN}`],
    [`/ingest/${ingestToken}/osmand?${fix}`],
    [`/ingest/${ingestToken}/osmand?id=${ingestToken}&lat=north&lon=0`],
    [`/ingest/osmand?${fix}&token=${ingestToken}`],
    [`/ingest/osmand?${fix}`, { authorization: `Bearer ${ingestToken}` }],
    [`/ingest/osmand?${fix}`, { authorization: `Basic ${basic}` }],
    [`/ingest/${ingestToken}/no-such-protocol?${fix}`],
  ];
  const answers = [
    ...(await Promise.all(own.map((path) => request.get(path)))),
    ...(await Promise.all(
      [...asked, ...reported].map(([path, headers]) => request.get(`${trackingUrl}${path}`, { headers })),
    )),
    await request.post(`${trackingUrl}/ingest/${ingestToken}/overland`, { data: { locations: 'none' } }),
  ];
  const statuses = new Set(answers.map((answer) => answer.status()));
  for (const status of [200, 400, 401, 403, 404]) expect(statuses).toContain(status);
  expectNoSecret(await Promise.all(answers.map(toReceivedText)), target);
});

test('none of the output of the servers holds a secret, after errors of every kind', async ({
  request,
  target,
}) => {
  const { trackingUrl, ingestToken } = target;
  await request.get('/api/fleets/9100099/roster');
  for (const token of [WRONG_TOKEN, ingestToken]) {
    await request.get(`${trackingUrl}/ingest/${token}/osmand?id=no-such-device&lat=35.2&lon=-101.8`);
    await request.get(`${trackingUrl}/ingest/osmand?id=${token}&lat=north&lon=0&token=${token}`);
  }
  // The service logs each refusal; all earlier lines are written by then.
  await expect
    .poll(() =>
      readLogs(target)
        .map(({ text }) => text)
        .join(''),
    )
    .toContain('"status":401');
  expectNoSecret(readLogs(target), target);
});
