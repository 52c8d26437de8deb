/**
 * The whole fleet, back in time: the time bar, the screen at a moment, playing, links to a moment, and what is not
 * recorded. lib/past/server/past-fleets.test.ts compares what the server gives of a moment with what was live then.
 */
import { expect, test, type Page } from '@playwright/test';
import pg from 'pg';
import { countFleet } from '@/lib/view/filter';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { DEMO_USDOT, startApplication, type Application } from './support/application';
import { DIALOG, expectAccessible } from './support/axe';
import { createFleetPage, expectLive, pill } from './support/fleet-page';
import { LONG } from './support/long';
import { MINUTE_MS } from '@/lib/base/time';

let application: Application;

test.beforeAll(async ({}, testInfo) => {
  application = await startApplication(
    { LINEHAUL_TEST_DEMO_HISTORY_HOURS: '1', DEMO_UNITS: '60' },
    testInfo.outputPath('past.log'),
  );
  // The demo's past is made before it is ready.
  await expect.poll(async () => (await application.fetch('/api/health/ready')).status).toBe(200);
  expect((await readFleet(Date.now() - 30 * MINUTE_MS))?.rows).toBeGreaterThan(50);
});
test.afterAll(() => application.stop());

/** The fleet at a moment by the server; null where nothing is recorded. */
const readFleet = async (atMs: number) => {
  const response = await application.fetch(`/api/fleets/${DEMO_USDOT}/past?at=${atMs}`);
  if (response.status === 404) return null;
  return applyLiveAnswer(null, fromLiveBytes(new Uint8Array(await response.arrayBuffer())));
};

const bar = (page: Page) => page.getByRole('region', { name: 'Past' });
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });
const pastPill = (page: Page) => page.getByRole('button', { name: /^Past · .*Back to live$/ });

/** The moment in the page's address, Unix ms; NaN without one. */
const momentOf = (page: Page): number => Date.parse(new URL(page.url()).searchParams.get('past') ?? '');

/** The address of the fleet at a moment. */
const toAddress = (atMs: number): string =>
  `${application.url}/fleets/${DEMO_USDOT}?past=${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** Expects the counters to be those of the moment in the address. */
const expectMoment = async (page: Page): Promise<void> => {
  const { counter } = createFleetPage(page);
  await expect(pastPill(page)).toBeVisible();
  const { byStatus } = countFleet((await readFleet(momentOf(page)))!);
  await expect(counter('Moving')).toContainText(String(byStatus.moving));
  await expect(counter('Stopped')).toContainText(String(byStatus.stopped));
};

/** The page's requests for an address from here on. */
const watchRequests = (page: Page, pattern: RegExp): number[] => {
  const times: number[] = [];
  page.on('request', (request) => {
    if (pattern.test(request.url())) times.push(performance.now());
  });
  return times;
};

test('the first page of the demo is complete, and offers a tour of six things by keyboard, once', async ({
  page,
}) => {
  const { open, counter } = createFleetPage(page);
  await open(DEMO_USDOT, '', application.url);
  await expectLive(page);
  await expect(counter('Unknown')).toContainText(/^[0-4]\D/);
  await expect(counter('Silent')).toContainText(/^[0-5]\D/);
  const offer = page.getByRole('button', { name: 'Take the tour' });
  const card = page.getByRole('dialog');
  await offer.focus();
  for (let stop = 1; stop <= 6; stop++) {
    await page.keyboard.press('Enter');
    await expect(card).toContainText(`${stop} of 6`);
    // What it is about is marked.
    await expect(page.locator('[class*="ring"]')).toBeVisible();
    if (stop === 2) await expectAccessible(page, DIALOG);
  }
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await page.reload();
  await expectLive(page);
  await expect(offer).toHaveCount(0);
});

test('the time bar turns the whole screen back, and Escape and the pill return to live', async ({ page }) => {
  const { open, options, panel, list } = createFleetPage(page);
  await page.clock.install();
  await open(DEMO_USDOT, '', application.url);
  await expectLive(page);
  await page.getByRole('button', { name: 'Back in time' }).click();
  await expect(slider(page)).toBeFocused();
  await expect(bar(page)).toContainText('Choose a moment');
  const polls = watchRequests(page, /\/live(\?|\/|$)/);
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  await expect.poll(() => Date.now() - momentOf(page)).toBeGreaterThan(29 * MINUTE_MS);
  await expectMoment(page);

  await test.step('the list, its ages and the panel are of the moment', async () => {
    await expect(pill(page)).toHaveCount(0);
    await expect(options.first()).not.toContainText(/\d+ h$/);
    await options.first().click();
    await expect(panel).toContainText('ago');
    await expect(panel.getByRole('link', { name: 'This day' })).toHaveAttribute(
      'href',
      /\?view=day&day=\d{4}-\d\d-\d\d&at=\d\d:\d\d:\d\d$/,
    );
    polls.length = 0;
    await page.waitForTimeout(2500);
    // Neither polls nor details of a unit.
    expect(polls).toEqual([]);
  });
  await test.step('Escape closes the panel, and then the past', async () => {
    await list.focus();
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(pastPill(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expectLive(page);
    expect(momentOf(page)).toBeNaN();
    await expect(bar(page)).toHaveCount(0);
  });
  await test.step('back shows the moment again, and the pill returns', async () => {
    await page.goBack();
    await expectMoment(page);
    await pastPill(page).click();
    await expectLive(page);
  });
  await test.step('it is live at once, also a moment after a poll', async () => {
    // Nothing polls by itself while the clock stands still.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000);
    const run = async (): Promise<void> => page.clock.runFor(20);
    await page.goBack();
    await expect.poll(() => run().then(() => pastPill(page).isVisible())).toBe(true);
    await pastPill(page).click();
    await expect.poll(() => run().then(() => pill(page).isVisible())).toBe(true);
  });
});

test('a link shows the same moment, which a drag and the date change', LONG, async ({ page }) => {
  const atMs = Math.floor(Date.now() / 1000) * 1000 - 20 * MINUTE_MS;
  await page.goto(`${toAddress(atMs)}&speed=60`);
  await expectMoment(page);
  expect(momentOf(page)).toBe(atMs);
  await expect(page.getByLabel('Speed')).toHaveValue('60');

  const box = (await slider(page).boundingBox())!;
  const dayMs = Number(await slider(page).getAttribute('aria-valuemin'));
  const x = box.x + (box.width * (atMs - dayMs)) / (24 * 60 * MINUTE_MS);
  await page.mouse.move(x, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(x - 4, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => momentOf(page)).toBeLessThan(atMs);
  await expectMoment(page);

  await page.getByRole('button', { name: 'Day before' }).click();
  await expect(bar(page).getByRole('status')).toContainText(/Nothing was recorded at .*: this fleet was not/);
  await expect(page.getByRole('heading', { name: 'Nothing recorded' })).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Prairie Star Freight');
  await page.goBack();
  await expectMoment(page);
});

test(
  'a played past moves on each second, and keeps its moment when a request fails',
  LONG,
  async ({ page }) => {
    const atMs = Math.floor(Date.now() / 1000) * 1000 - 40 * MINUTE_MS;
    await page.goto(toAddress(atMs));
    await expectMoment(page);
    await page.getByLabel('Speed').selectOption('60×');
    const requests = watchRequests(page, /\/past\?/);
    await slider(page).press('Space');
    await expect.poll(() => requests.length).toBeGreaterThan(2);
    const [first, , third] = requests as [number, number, number];
    expect(third - first).toBeGreaterThan(1900);

    await page.route(/\/past\?/, (route) => route.abort());
    await expect(bar(page).getByRole('status')).toContainText('could not be loaded: The Linehaul server');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(pastPill(page)).toBeVisible();
    await page.unroute(/\/past\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(bar(page).getByRole('status')).toHaveCount(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => momentOf(page)).toBeGreaterThan(atMs);
    await expectMoment(page);
  },
);

/** A load that a truck has had since then, and that it has picked up ten minutes later. */
const addLoad = async (unit: string, fromMs: number): Promise<void> => {
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: string; site: number }>(
    `with load as (insert into linehaul.loads (usdot, reference, customer, made_by, created_at, updated_at)
       values ($1, 'past-8841', 'Peachtree Paper', 'ann', now(), now()) returning id),
     site as (insert into linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at, is_of_load)
       values ($1, 'Stop of load past-8841', 'customer', '#5c6b7a', 75, $2, 'ann', now(), now(), true) returning id)
     select load.id, site.id as site from load, site`,
    [DEMO_USDOT, { type: 'circle', lat: 35, lng: -101, radiusM: 400 }],
  );
  const { id, site } = rows[0]!;
  await client.query(
    `insert into linehaul.load_stops (load_id, position, kind, site_id, name, lat, lng, time_zone)
     values ($1, 0, 'pickup', $2, 'Mill 4', 35, -101, 'America/Chicago'),
       ($1, 1, 'delivery', $2, 'Acme DC', 35, -101, 'America/Chicago')`,
    [id, site],
  );
  await client.query(
    `insert into linehaul.load_trucks (load_id, from_ms, unit, made_by) values ($1, $2, $3, 'ann')`,
    [id, fromMs, unit],
  );
  await client.query(
    `insert into linehaul.site_visits (usdot, site_id, unit, arrived_ms, left_ms, left_by_ms)
     values ($1, $2, $3, $4, $5, $5)`,
    [DEMO_USDOT, site, unit, fromMs + 5 * MINUTE_MS, fromMs + 10 * MINUTE_MS],
  );
  await client.end();
};

test('a moment names the load of a truck and how far it was, and no verdict', LONG, async ({ page }) => {
  const fromMs = Date.now() - 40 * MINUTE_MS;
  const { identities } = (await readFleet(fromMs))!;
  const { key, truckNumber } = identities.find((each) => each?.truckNumber != null)!;
  await addLoad(key, fromMs);
  const look = async (afterMin: number): Promise<void> => {
    const address = toAddress(fromMs + afterMin * MINUTE_MS);
    await page.goto(`${address}&unit=${encodeURIComponent(key)}&q=${encodeURIComponent(truckNumber!)}`);
    await expect(pastPill(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: `Truck ${truckNumber!}` })).toBeVisible();
  };
  const { list } = createFleetPage(page);
  const panel = page.getByRole('complementary');
  const expected: readonly [min: number, label: string, text: RegExp][] = [
    [2, 'on the way to pickup', /past-8841 Peachtree Paper\s*On the way to pickup/],
    [7, 'at pickup', /At pickup, reached Mill 4/],
    [20, 'in transit', /In transit, left Mill 4/],
  ];
  for (const [min, label, text] of expected) {
    await look(min);
    await expect(list.getByRole('option').first()).toContainText(`past-8841 ${label}`);
    await expect(panel.getByText('past-8841')).toBeVisible();
    await expect(panel).toContainText(text);
  }
  await expectAccessible(page, 'aside');
  await look(-5);
  await expect(page.getByText('past-8841')).toHaveCount(0);
});
