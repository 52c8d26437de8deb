import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import type { Behaviour } from '@/testing/tracking/faults';
import { SCRIPTED_UNITS, createScriptedUnits } from '@/testing/tracking/scripted-units';
import { startApplication } from './support/application';
import type { Application } from './support/application';
import { list, notices, pill, watchLoads } from './support/told';

const OWN = '9100001';
const LIVE = /\/api\/fleets\/\d+\/live(\?|$)/;
const CLOCK = /\d{1,2}:\d\d:\d\d/;

/** Time for a few polls on a busy machine. */
const RECOVERS_WITHIN = { timeout: 30_000 };

test.setTimeout(90_000);

let provider: FaultyProvider;
let application: Application;

test.beforeAll(async ({}, testInfo) => {
  provider = await startFaultyProvider();
  const variables = {
    ...provider.variables,
    TRACKING_MAX_BACKOFF_MS: '1000',
    TRACKING_HEADERS_TIMEOUT_MS: '1500',
  };
  application = await startApplication(variables, testInfo.outputPath('application.log'));
  // The account is requested once an hour; now it is known, whatever faults the tests set.
  await application.fetch(`/api/fleets/${OWN}/live`);
});
test.beforeEach(({ context }) => application.signIn(context));
test.afterAll(async () => {
  await application?.stop();
  await provider?.close();
});

const openFleet = async (page: Page, usdot: string): Promise<void> => {
  await page.goto(`${application.url}/fleets/${usdot}`);
};

const expectUnits = async (page: Page): Promise<void> => {
  for (const { truckNumber } of SCRIPTED_UNITS) {
    await expect(list(page).getByText(truckNumber, { exact: true })).toBeVisible();
  }
};

const expectUnitsOnMap = async (page: Page): Promise<void> => {
  const map = page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');
  await expect(map).toHaveAttribute('data-drawn-units', String(SCRIPTED_UNITS.length));
};

/** These faults differ on the screen only in their text: the first represents all of them in npm test. */
const FIRST_FAULTS: { behaviour: Behaviour; usdot: string; words: string }[] = [
  {
    behaviour: 'serverError',
    usdot: '9100011',
    words: 'The tracking provider has a fault of its own (status 500).',
  },
  {
    behaviour: 'hangsBeforeHeaders',
    usdot: '9100012',
    words: 'The tracking provider does not answer in time.',
  },
  { behaviour: 'resetsAtOnce', usdot: '9100013', words: 'The tracking provider cannot be reached.' },
  {
    behaviour: 'unauthorized',
    usdot: '9100014',
    words: "The tracking provider refuses this server's credentials.",
  },
  {
    behaviour: 'forbidden',
    usdot: '9100015',
    words: 'The tracking provider does not let this server see this fleet.',
  },
  {
    behaviour: 'loginPage',
    usdot: '9100016',
    words: 'The tracking provider answers in a form that cannot be read.',
  },
];

// First, because the account is cached for minutes once it is read.
test('the fleet opens by itself once the account, which failed at first, can be read', async ({ page }) => {
  provider.behaveForAccount('unauthorized');
  try {
    await page.goto(application.url);
    await expect(page.getByRole('heading', { name: 'Whose fleet?' })).toBeVisible();
    await expect(page.getByText("refuses this server's credentials")).toBeVisible();
  } finally {
    provider.behaveForAccount('good');
  }
  // The map may have added its position to the address.
  await expect(page).toHaveURL(({ pathname }) => pathname === `/fleets/${OWN}`, RECOVERS_WITHIN);
  await expectUnits(page);
});

for (const { behaviour, usdot, words } of FIRST_FAULTS) {
  const details = behaviour === 'serverError' ? {} : { tag: '@long' };
  test(`says on the first load what is wrong and since when: ${behaviour}`, details, async ({ page }) => {
    provider.behave(usdot, behaviour);
    await openFleet(page, usdot);
    await expect(list(page).getByRole('heading', { name: 'No data yet' })).toBeVisible();
    await expect(list(page)).toContainText(words);
    await expect(list(page)).toContainText(CLOCK);
    await expect(list(page).getByRole('button', { name: 'Try now' })).toBeVisible();
    await expect(pill(page)).toContainText('No data yet');
  });
}

test('no field of a vehicle is called "not given" before the first answer', async ({ page }) => {
  const usdot = '9100017';
  const [unit] = SCRIPTED_UNITS;
  for (const subject of [usdot, unit!.vin]) provider.behave(subject, 'serverError');
  await page.goto(`${application.url}/fleets/${usdot}/units/${unit!.vin}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('The provider could not be asked:');
  await expect(main.getByText('not known yet').first()).toBeVisible();
  await expect(main.getByText(/not given|is given/)).toHaveCount(0);
  for (const subject of [usdot, unit!.vin]) provider.behave(subject, 'good');
  await expect(main.getByText('not known yet')).toHaveCount(0, RECOVERS_WITHIN);
});

test('fleet and roster appear without a reload once a provider that failed at first answers', async ({
  context,
  page,
}) => {
  const usdot = '9100021';
  const roster = await context.newPage();
  provider.behave(usdot, 'serverError');
  await openFleet(page, usdot);
  await roster.goto(`${application.url}/fleets/${usdot}/roster`);
  await expect(list(page).getByRole('heading', { name: 'No data yet' })).toBeVisible();
  await expect(roster.getByText('The roster could not be read.')).toBeVisible();
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

test('the units stay on the map while the provider fails, under a notice, and go on when it is back', async ({
  page,
}) => {
  const usdot = '9100031';
  await openFleet(page, usdot);
  await expectUnits(page);
  await expectUnitsOnMap(page);
  const loads = watchLoads(page);

  provider.behave(usdot, 'serverError');
  await expect(pill(page)).toContainText(/Delayed · data from \d{1,2}:\d\d:\d\d/);
  const notice = notices(page).getByText('The tracking provider has a fault of its own (status 500).');
  await expect(notice).toContainText(CLOCK);
  await expectUnitsOnMap(page);
  await expectUnits(page);

  provider.behave(usdot, 'good');
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notice).toBeHidden();
  await expectUnitsOnMap(page);
  expect(loads()).toBe(0);
});

test('tells of an outage in the past, counts nothing on, and is of now again with the first answer', async ({
  page,
}) => {
  const usdot = '9100033';
  await page.clock.install();
  provider.give(usdot, createScriptedUnits(6));
  await openFleet(page, usdot);
  await page.getByRole('option', { name: /mph/ }).first().click();
  const panel = page.getByRole('complementary');
  const map = page.getByRole('region', { name: 'Map' });
  await expect(panel).toContainText(/Moving since/);
  await expect(map.locator('[data-old]')).toHaveCount(0);

  provider.behave(usdot, 'serverError');
  await expect(pill(page)).toContainText(/^Delayed/);
  // Without answers, no Date header shows that the browser's clock is ahead of the server's.
  await page.route(LIVE, () => undefined);
  await page.clock.fastForward(40_000);
  const counters = page.getByRole('group', { name: 'Filter by status' });
  await expect(counters).toContainText(/As of \d\d:\d\d/);
  await expect(
    list(page)
      .getByText(/^was moving at \d\d:\d\d$/)
      .first(),
  ).toBeVisible();
  await expect(panel).toContainText(/Was moving at \d\d:\d\d/);
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
});

test('the screen shows until when a Retry-After of one day lasts, and Try now tries at once', async ({
  page,
}) => {
  const usdot = '9100032';
  await openFleet(page, usdot);
  await expectUnits(page);
  provider.behave(usdot, 'tooManyForADay');
  await expect(notices(page)).toContainText(/Next attempt at \d{1,2}:\d\d:\d\d\./);
  provider.behave(usdot, 'good');
  const tryNow = notices(page).getByRole('button', { name: 'Try now' });
  // An attempt within ten seconds of the last one is refused, with a message.
  await expect(async () => {
    await tryNow.click();
    await expect(pill(page)).toContainText(/^Live/, { timeout: 3000 });
  }).toPass({ timeout: 30_000 });
  await expect(tryNow).toBeHidden();
});

test('a fleet without active units is shown as such, and its first unit appears once it comes', async ({
  page,
}) => {
  const usdot = '9100041';
  provider.give(usdot, []);
  await openFleet(page, usdot);
  await expect(list(page).getByRole('heading', { name: 'No active units' })).toBeVisible();
  await expect(list(page)).toContainText(`USDOT ${usdot}`);
  await expect(pill(page)).toContainText(/^Live/);
  provider.give(usdot, SCRIPTED_UNITS);
  await expectUnits(page);
});

test('a browser without a network says what it shows, and continues when it is back', async ({
  context,
  page,
}) => {
  await openFleet(page, OWN);
  await expectUnits(page);
  await expect(notices(page)).toBeHidden();
  const loads = watchLoads(page);
  await context.setOffline(true);
  await expect(pill(page)).toContainText(/No connection · showing \d{1,2}:\d\d:\d\d/);
  await expect(notices(page)).toContainText('This computer is offline');
  await expectUnits(page);
  await expectUnitsOnMap(page);
  await context.setOffline(false);
  await expect(pill(page)).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices(page)).toBeHidden();
  expect(loads()).toBe(0);
});

test("the page names the key's carrier when the fleet is not the account's own", async ({ page }) => {
  const usdot = '9100051';
  await openFleet(page, usdot);
  await expectUnits(page);
  await expect(notices(page)).toContainText(`USDOT ${usdot}`);
  await expect(notices(page)).toContainText(`Mesa Verde Lines, USDOT ${OWN}`);
  await notices(page).getByRole('button', { name: 'Close notice' }).click();
  await expect(notices(page)).toBeHidden();
});

/** With the view centered on these latitudes, the first unit is 35 px under the head of the map. */
const SCREENS = [
  { screen: 'a desk', size: { width: 1600, height: 900 }, lat: 27.93 },
  { screen: 'a phone', size: { width: 390, height: 844 }, lat: 28.55 },
];

for (const { screen, size, lat } of SCREENS) {
  test(`a notice covers neither the map's buttons nor the selected unit, on ${screen}`, async ({ page }) => {
    const [unit] = SCRIPTED_UNITS;
    await page.setViewportSize(size);
    const view = `?unit=${unit!.vin}&at=@${lat},${unit!.lng},6z`;
    await page.goto(`${application.url}/fleets/9100052${view}`);
    const notice = notices(page);
    await expect(notice).toContainText('Mesa Verde Lines');
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
  });
}

test('the fleet of a provider is never called a demo, whatever its USDOT number', async ({ page }) => {
  await openFleet(page, OWN);
  await expectUnits(page);
  await expect(page.getByText('Demo fleet')).toHaveCount(0);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('link', { name: /FMCSA company snapshot/ })).toBeVisible();
  await expect(page.getByText('a made-up number')).toHaveCount(0);
});
