/**
 * Faults of a long day in the browser: it sleeps, its clock is wrong or is set, its server restarts or
 * becomes another build, a part of the page can no longer be loaded. provider-faults.spec.ts covers a browser
 * without a network.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { SCRIPTED_UNITS } from '@/testing/tracking/scripted-units';
import { expect, oneAccountTest as test } from './support/fixtures';
import { list, notices, pill, watchLoads } from './support/fleet-page';
import { LONG } from './support/long';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9100001';
const LIVE = /\/api\/fleets\/\d+\/live(\?|$)/;
const [UNIT] = SCRIPTED_UNITS;
const RECOVERS_WITHIN = { timeout: 60_000 };

test.setTimeout(150_000);

const map = (page: Page) => page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');

/** Opens the fleet with its first unit selected and waits until it is live. */
const openFleet = async (page: Page): Promise<void> => {
  await page.goto(`/fleets/${USDOT}?unit=${UNIT!.vin}`);
  await expect(pill(page)).toContainText(/^Live · \d+ s/, RECOVERS_WITHIN);
  await expect(map(page)).toHaveAttribute('data-drawn-units', String(SCRIPTED_UNITS.length), RECOVERS_WITHIN);
};

const expectSelection = async (page: Page): Promise<void> => {
  await expect(page.getByRole('complementary')).toContainText(UNIT!.vin);
  expect(page.url()).toContain(UNIT!.vin);
};

/** Makes the server appear to the page as another build. */
const answerAsBuild = async (page: Page, build: string): Promise<void> => {
  await page.route(LIVE, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'x-linehaul-build': build } });
  });
};

test('a page that wakes shows how old its data is, polls at once, and is live again', async ({ page }) => {
  await page.clock.install();
  await openFleet(page);
  const held: Route[] = [];
  await page.route(LIVE, (route) => void held.push(route));
  // A request in flight when the computer falls asleep never ends.
  await expect.poll(() => held.length).toBe(1);
  await page.clock.fastForward(HOUR_MS);
  await expect.poll(() => held.length, { timeout: 3000 }).toBe(2);
  await expect(notices(page)).toContainText('The data shown is 1 h old: this page was asleep since');
  // After midnight with its date.
  await expect(pill(page)).toContainText(
    /Delayed · data from (\d{1,2}:\d\d:\d\d [AP]M|[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d [AP]M)/,
  );
  await expect(list(page).getByText(UNIT!.truckNumber, { exact: true })).toBeVisible();
  await page.unroute(LIVE);
  for (const route of held) await route.continue().catch(() => undefined);
  await expect(pill(page)).toContainText(/^Live · \d+ s/);
  await expect(notices(page)).toBeHidden();
});

for (const hours of [5, -5]) {
  test(
    `tells ages by the server's clock where the browser's is ${hours} hours off`,
    LONG,
    async ({ page }) => {
      await page.clock.install({ time: Date.now() + hours * HOUR_MS });
      await openFleet(page);
      await expect(list(page).getByText(/^\d+ (h|d)$/)).toHaveCount(0);
      // Then the clock is set right again.
      await page.clock.setSystemTime(Date.now());
      await expect(notices(page)).toBeHidden();
      await expect(pill(page)).toContainText(/^Live · \d+ s/);
      await expect(list(page).getByText(/^\d+ (h|d)$/)).toHaveCount(0);
    },
  );
}

test('a page keeps its selection when its server restarts', LONG, async ({ page, oneAccount }) => {
  await openFleet(page);
  await expectSelection(page);
  const loads = watchLoads(page);
  await oneAccount.stop();
  await expect(pill(page)).toContainText(/No connection · showing/, RECOVERS_WITHIN);
  await expect(notices(page)).toContainText('The Linehaul server does not answer.');
  // Its code is not loaded yet.
  await page.keyboard.press('?');
  const answers: string[] = [];
  page.on('response', (response) => {
    if (LIVE.test(response.url()) && response.status() === 200) answers.push(response.url());
  });
  await oneAccount.restart();
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  // The request holds a version of the earlier server.
  expect(answers[0]).toContain('since=');
  await expect(list(page).getByText(UNIT!.truckNumber, { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible(RECOVERS_WITHIN);
  await page.keyboard.press('Escape');
  await expectSelection(page);
  expect(loads()).toBe(0);
});

test('a page reports that the server was updated, and a reload keeps the selection', async ({ page }) => {
  await openFleet(page);
  await expect(notices(page)).toBeHidden();
  await answerAsBuild(page, 'another');
  await expect(notices(page)).toContainText('Linehaul was updated.');
  const loads = watchLoads(page);
  await notices(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(loads).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices(page)).toBeHidden();
  await expectSelection(page);
});

test(
  'a page reloads three times at most for another build, while it is idle and holds no unsaved input',
  LONG,
  async ({ page }) => {
    await page.clock.install();
    await openFleet(page);
    await answerAsBuild(page, 'another');
    await expect(notices(page)).toContainText('Linehaul was updated.');
    const loads = watchLoads(page);
    const follow = page.getByRole('button', { name: /^Follow/ });
    await follow.click();
    await page.clock.fastForward('06:00');
    await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
    expect(loads(), 'a unit is followed').toBe(0);
    await page.getByRole('button', { name: /follow/i }).click();
    // A reload may be answered by a server of the build before; one that always is ends with the notice.
    for (const reloads of [1, 2, 3]) {
      await page.clock.fastForward('06:00');
      await expect.poll(loads).toBe(reloads);
      await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
      await expectSelection(page);
      await expect(notices(page)).toContainText('Linehaul was updated.');
    }
    await page.clock.fastForward('06:00');
    await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
    expect(loads()).toBe(3);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

/** The scripts with Leaflet, of which the map loads one after the page, and the editor of sites another. */
const findMapScripts = (): RegExp => {
  const folder = join('.next', 'static', 'chunks');
  const names = readdirSync(folder).filter(
    (file) =>
      file.endsWith('.js') &&
      readFileSync(join(folder, file), 'utf8').includes('Map container is already initialized'),
  );
  if (names.length === 0) throw new Error('No script of the build holds Leaflet.');
  return new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'));
};

test('a page reloads when one of its chunks is gone from the server, never blank', async ({ page }) => {
  let isGone = true;
  await page.route(findMapScripts(), (route) =>
    isGone ? route.fulfill({ status: 404, body: 'Not Found' }) : route.continue(),
  );
  await page.goto(`/fleets/${USDOT}?unit=${UNIT!.vin}`);
  await expect(page.getByRole('heading', { name: 'A part of this page is missing' })).toBeVisible();
  isGone = false;
  await expect(map(page)).toHaveAttribute('data-drawn-units', String(SCRIPTED_UNITS.length), RECOVERS_WITHIN);
  await expectSelection(page);
});

test('a page does not reload forever when one of its chunks stays gone', LONG, async ({ page }) => {
  await page.clock.install();
  await page.route(findMapScripts(), (route) => route.fulfill({ status: 404, body: 'Not Found' }));
  const loads = watchLoads(page);
  await page.goto(`/fleets/${USDOT}`);
  const head = page.getByRole('heading', { name: 'A part of this page is missing' });
  await expect.poll(loads, RECOVERS_WITHIN).toBe(3);
  await expect(head).toBeVisible();
  await page.clock.fastForward('00:02');
  await expect(page.getByText('It was reloaded and is still missing.')).toBeVisible();
  await expect(page.getByText('The page reloads as soon as')).toBeHidden();
  await page.clock.fastForward('01:00');
  await expect(head).toBeVisible();
  expect(loads()).toBe(3);
  await expect(page.getByRole('button', { name: 'Reload now' })).toBeVisible();
});

test('a pressed row is selected even if another truck takes its place before the button is released', async ({
  page,
  oneAccount: { provider },
}) => {
  await page.clock.install();
  const usdot = '9100071';
  const [first, ...others] = SCRIPTED_UNITS;
  provider.give(usdot, others);
  await page.goto(`/fleets/${usdot}?sort=truck`);
  const options = page.getByRole('option');
  await expect(options.first()).toContainText(others[0]!.truckNumber, RECOVERS_WITHIN);
  await options.first().hover();
  // A pointer at rest does not hold the order of the list.
  await page.clock.fastForward(4500);
  await page.mouse.down();
  // A pointer that is pressed holds it, however long.
  await page.clock.fastForward(4500);
  provider.give(usdot, SCRIPTED_UNITS);
  await expect(options.filter({ hasText: first!.truckNumber })).toBeVisible(RECOVERS_WITHIN);
  await page.mouse.up();
  await expect(page.getByRole('complementary')).toContainText(others[0]!.vin);
});
