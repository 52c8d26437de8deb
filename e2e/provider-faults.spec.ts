import type { Page } from '@playwright/test';
import type { Behavior } from '@/testing/tracking/faults';
import { SCRIPTED_UNITS, createScriptedUnits } from '@/testing/tracking/scripted-units';
import { expect, oneAccountTest as test } from './support/fixtures';
import { list, notices, pill, watchLoads } from './support/fleet-page';
import { LONG } from './support/long';

const OWN = '9100001';
const LIVE = /\/api\/fleets\/\d+\/live(\?|$)/;
const CLOCK = /\d{1,2}:\d\d:\d\d [AP]M/;

const FAULT = 'The tracking provider has a fault of its own (status 500).';
const REFUSAL = 'The tracking provider was requested a moment ago. Wait a few seconds before you try again.';
/** Time for a few polls on a busy machine. */
const RECOVERS_WITHIN = { timeout: 30_000 };

test.setTimeout(90_000);

const openFleet = async (page: Page, usdot: string): Promise<void> => {
  await page.goto(`/fleets/${usdot}`);
};

/** The state before the first answer: what is wrong, since when, and a button. */
const expectNoDataYet = async (page: Page, text: string): Promise<void> => {
  await expect(list(page).getByRole('heading', { name: 'No data yet' })).toBeVisible();
  await expect(list(page)).toContainText(text);
  await expect(list(page)).toContainText(CLOCK);
  await expect(list(page).getByRole('button', { name: 'Try now' })).toBeVisible();
  await expect(pill(page)).toContainText('No data yet');
};

const expectUnits = async (page: Page): Promise<void> => {
  for (const { truckNumber } of SCRIPTED_UNITS) {
    await expect(list(page).getByText(truckNumber, { exact: true })).toBeVisible();
  }
};

const expectUnitsOnMap = async (page: Page, units = SCRIPTED_UNITS.length): Promise<void> => {
  const map = page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');
  await expect(map).toHaveAttribute('data-drawn-units', String(units));
};

/** These faults differ on the screen only in their text; serverError represents them in npm test. */
const FIRST_FAULTS: { behavior: Behavior; usdot: string; text: string }[] = [
  {
    behavior: 'hangsBeforeHeaders',
    usdot: '9100012',
    text: 'The tracking provider does not answer in time.',
  },
  { behavior: 'resetsAtOnce', usdot: '9100013', text: 'The tracking provider cannot be reached.' },
  {
    behavior: 'unauthorized',
    usdot: '9100014',
    text: "The tracking provider refuses this server's credentials.",
  },
  {
    behavior: 'forbidden',
    usdot: '9100015',
    text: 'The tracking provider does not let this server see this fleet.',
  },
  {
    behavior: 'loginPage',
    usdot: '9100016',
    text: 'The tracking provider answers in a form that cannot be read.',
  },
];

for (const { behavior, usdot, text } of FIRST_FAULTS) {
  test(
    `says on the first load what is wrong and since when: ${behavior}`,
    LONG,
    async ({ page, oneAccount: { provider } }) => {
      provider.behave(usdot, behavior);
      await openFleet(page, usdot);
      await expectNoDataYet(page, text);
    },
  );
}

test(
  'no field of a vehicle is called "not given" before the first answer',
  LONG,
  async ({ page, oneAccount: { provider } }) => {
    const usdot = '9100017';
    const [unit] = SCRIPTED_UNITS;
    for (const subject of [usdot, unit!.vin]) provider.behave(subject, 'serverError');
    await page.goto(`/fleets/${usdot}/units/${unit!.vin}`);
    const main = page.getByRole('main');
    await expect(main).toContainText('Could not load from the provider:');
    await expect(main.getByText('not known yet').first()).toBeVisible();
    await expect(main.getByText(/not given|is given/)).toHaveCount(0);
    for (const subject of [usdot, unit!.vin]) provider.behave(subject, 'good');
    await expect(main.getByText('not known yet')).toHaveCount(0, RECOVERS_WITHIN);
  },
);

test('a provider that fails at first is named with the time, and fleet and roster appear without a reload once it answers', async ({
  context,
  page,
  oneAccount: { provider },
}) => {
  const usdot = '9100021';
  const roster = await context.newPage();
  provider.behave(usdot, 'serverError');
  await openFleet(page, usdot);
  await roster.goto(`/fleets/${usdot}/roster`);
  await expectNoDataYet(page, FAULT);
  await expect(async () => {
    await list(page).getByRole('button', { name: 'Try now' }).click();
    await expect(list(page).getByRole('alert')).toHaveText(REFUSAL, { timeout: 1000 });
  }).toPass();
  await expect(roster.getByText('The roster could not be loaded.')).toBeVisible();
  const loads = [watchLoads(page), watchLoads(roster)];
  provider.behave(usdot, 'good');
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expectUnits(page);
  await expectUnitsOnMap(page);
  await expect(roster.getByText(`${SCRIPTED_UNITS.length} VINs of USDOT ${usdot}`)).toBeVisible(
    RECOVERS_WITHIN,
  );
  expect(loads.map((count) => count())).toEqual([0, 0]);
});

test('an outage keeps the units on the map, tells of them in the past, and is over with the first answer', async ({
  page,
  oneAccount: { provider },
}) => {
  const UNITS = 6;
  const usdot = '9100033';
  await page.clock.install();
  provider.give(usdot, createScriptedUnits(UNITS));
  await openFleet(page, usdot);
  await page.getByRole('option', { name: /mph/ }).first().click();
  const panel = page.getByRole('complementary');
  const map = page.getByRole('region', { name: 'Map' });
  await expect(panel).toContainText(/Moving since/);
  await expect(map.locator('[data-old]')).toHaveCount(0);
  // The notices will move the map, so that the selected unit stays clear of them.
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expectUnitsOnMap(page, UNITS);
  const loads = watchLoads(page);

  provider.behave(usdot, 'serverError');
  await expect(pill(page)).toContainText(/Delayed · data from \d{1,2}:\d\d:\d\d [AP]M/);
  const notice = notices(page).getByText(FAULT);
  await expect(notice).toContainText(CLOCK);
  await expectUnitsOnMap(page, UNITS);
  // Without answers, no Date header shows that the browser's clock is ahead of the server's.
  await page.route(LIVE, () => undefined);
  await page.clock.fastForward(40_000);
  const counters = page.getByRole('group', { name: 'Filter by status' });
  await expect(counters).toContainText(/As of \d{1,2}:\d\d [AP]M/);
  await expect(
    list(page)
      .getByText(/^was moving at \d{1,2}:\d\d [AP]M$/)
      .first(),
  ).toBeVisible();
  await expect(panel).toContainText(/Was moving at \d{1,2}:\d\d [AP]M/);
  await expect(map.locator('[data-old]')).toHaveAttribute('data-old', 'delayed');
  const read = async () => [await list(page).innerText(), await panel.innerText()];
  const before = await read();
  expect(before.join()).not.toMatch(/mph E|mph N|\d s ago|parked \d/);
  await page.clock.runFor(4000);
  expect(await read()).toEqual(before);

  provider.behave(usdot, 'good');
  await page.unroute(LIVE);
  await expect(counters).not.toContainText('As of', RECOVERS_WITHIN);
  await expect(panel).toContainText(/Moving since/);
  await expect(list(page).getByText(/was moving/)).toHaveCount(0);
  await expect(map.locator('[data-old]')).toHaveCount(0);
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notice).toBeHidden();
  await expectUnitsOnMap(page, UNITS);
  expect(loads()).toBe(0);
});

test(
  'the screen shows until when a Retry-After of one day lasts, and Try now tries at once',
  LONG,
  async ({ page, oneAccount: { provider } }) => {
    const usdot = '9100032';
    await openFleet(page, usdot);
    await expectUnits(page);
    provider.behave(usdot, 'tooManyForADay');
    const wait = /Next attempt at \d{1,2}:\d\d:\d\d [AP]M\./;
    await expect(notices(page)).toContainText(wait);
    const tryNow = notices(page).getByRole('button', { name: 'Try now' });
    // An attempt within ten seconds of the last one is refused, with a message.
    await expect(async () => {
      await tryNow.click();
      await expect(notices(page)).toContainText(REFUSAL, { timeout: 1000 });
    }).toPass();
    provider.behave(usdot, 'good');
    await test.step('a wait that another user ended takes the refusal with it', async () => {
      const attempt = () =>
        page.evaluate(async (path) => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(path, { method: 'POST', headers, body: '{}' })).ok;
        }, `/api/fleets/${usdot}/attempt`);
      await expect.poll(attempt).toBe(true);
      await expect(pill(page)).toContainText(/^Live/);
      provider.behave(usdot, 'tooManyForADay');
      await expect(notices(page)).toContainText(wait);
      await expect(notices(page)).not.toContainText(REFUSAL);
      provider.behave(usdot, 'good');
    });
    await expect(async () => {
      await tryNow.click();
      await expect(pill(page)).toContainText(/^Live/, { timeout: 3000 });
    }).toPass({ timeout: 30_000 });
    await expect(tryNow).toBeHidden();
  },
);

test('a fleet without active units is shown as such, and its first unit appears once it comes', async ({
  page,
  oneAccount: { provider },
}) => {
  const usdot = '9100041';
  provider.give(usdot, []);
  await openFleet(page, usdot);
  await expect(list(page).getByRole('heading', { name: 'No active trucks' })).toBeVisible();
  await expect(list(page)).toContainText(`USDOT ${usdot}`);
  await expect(pill(page)).toContainText(/^Live/);
  provider.give(usdot, SCRIPTED_UNITS);
  await expectUnits(page);
});

test('a browser without a network says what it shows, never calls the fleet a demo, and continues when it is back', async ({
  context,
  page,
}) => {
  await openFleet(page, OWN);
  await expectUnits(page);
  await expect(notices(page)).toBeHidden();
  const loads = watchLoads(page);
  await context.setOffline(true);
  await expect(pill(page)).toContainText(/Offline · as of \d{1,2}:\d\d:\d\d [AP]M/);
  await expect(notices(page)).toContainText('This computer has been offline since');
  await expectUnits(page);
  await expectUnitsOnMap(page);
  await context.setOffline(false);
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices(page)).toBeHidden();
  expect(loads()).toBe(0);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('link', { name: /FMCSA company snapshot/ })).toBeVisible();
  for (const text of ['Demo fleet', 'a made-up number']) await expect(page.getByText(text)).toHaveCount(0);
});

/** A desk and a phone: with the view centered on these latitudes, the first unit is 35 px under the head of the map. */
const SCREENS = [
  { size: { width: 1600, height: 900 }, lat: 27.93 },
  { size: { width: 390, height: 844 }, lat: 28.55 },
];

test(
  "a notice names the key's carrier when the fleet is not its own, and covers neither the map's buttons nor the selected unit",
  LONG,
  async ({ page }) => {
    const usdot = '9100052';
    const [unit] = SCRIPTED_UNITS;
    const notice = notices(page);
    for (const { size, lat } of SCREENS) {
      await page.setViewportSize(size);
      await page.goto(`/fleets/${usdot}?unit=${unit!.vin}&at=@${lat},${unit!.lng},6z`);
      await expect(notice).toContainText(`USDOT ${usdot}`);
      await expect(notice).toContainText(`Mesa Verde Lines, USDOT ${OWN}`);
      const map = page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');
      await expect(async () => {
        const at = (await map.getAttribute('data-selected-at'))?.split(',').map(Number);
        const frame = await map.boundingBox();
        const box = await notice.boundingBox();
        expect(at?.[1], 'the unit is drawn').toEqual(expect.any(Number));
        expect(frame!.y + at![1]!).toBeGreaterThan(box!.y + box!.height);
      }).toPass();
      for (const name of ['Zoom in', 'Zoom out', 'Show the whole fleet']) {
        await page.getByRole('button', { name }).click({ trial: true });
      }
    }
    await notice.getByRole('button', { name: 'Close notice' }).click();
    await expect(notice).toBeHidden();
  },
);
