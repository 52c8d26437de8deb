/**
 * A dispatcher keeps working while the provider fails: the screen keeps its data with its true age, names
 * what is wrong, and recovers without a reload. No browser and no log receives a secret meanwhile.
 * lib/feeds/feed/provider-faults.test.ts tests every fault; here one of each kind that the screen shows in its own
 * way, and all of them before a release.
 */
import type { APIResponse, Page } from '@playwright/test';
import { FAILURES } from '@/testing/live/failures';
import { FAULT_NAMES, type Behavior } from '@/testing/tracking/faults';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { expect, oneAccountTest as test } from './support/fixtures';
import { collectAnswers, readReceivedText, toReceivedText, type ReceivedText } from './support/received';
import { createSecretSearch } from './support/secret-search';

/** A fleet of its own, which no other test has shown. */
const USDOT = '9100081';
const UNITS = 12;
/** Longer than the longest wait that a provider can ask for. */
const RECOVERS_WITHIN = { timeout: 75_000 };
const CLOCK = /\d{1,2}:\d\d:\d\d [AP]M/;

test.setTimeout(120_000);

let provider: FaultyProvider;
let page: Page;
let collect: () => Promise<ReceivedText[]>;
let logFile: string;
let loads = 0;

test.beforeAll(async ({ browser, oneAccount }) => {
  ({ provider, logFile } = oneAccount);
  const { application } = oneAccount;
  provider.give(USDOT, createScriptedUnits(UNITS));
  const context = await browser.newContext({ baseURL: application.url });
  await application.signIn(context);
  collect = collectAnswers(context);
  page = await context.newPage();
  await page.goto(`/fleets/${USDOT}`);
  await expect(map()).toHaveAttribute('data-drawn-units', String(UNITS), { timeout: 45_000 });
  // The key is of another carrier.
  await notices().getByRole('button', { name: 'Close notice' }).click();
  loads = 0;
  page.on('load', () => loads++);
});
test.afterAll(() => page?.context().close());
test.afterEach(() => provider.behave(USDOT, 'good'));

const pill = () => page.getByRole('button', { name: /Show ages/ });
const notices = () => page.getByRole('region', { name: 'Notices' });
const map = () => page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');
const counter = (name: string) =>
  page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name });

const expectWell = async (): Promise<void> => {
  await expect(pill()).toContainText(/^Live/, RECOVERS_WITHIN);
  await expect(notices()).toBeHidden();
  await expect(map()).toHaveAttribute('data-drawn-units', String(UNITS));
  expect(loads).toBe(0);
};

const recover = async (): Promise<void> => {
  provider.behave(USDOT, 'good');
  await expectWell();
};

/** The units keep their positions, with the given labels and their time. */
const expectHeld = async (message: string): Promise<void> => {
  await expect(notices()).toContainText(message);
  await expect(notices()).toContainText(CLOCK);
  await expect(pill()).toContainText(/Delayed · data from \d{1,2}:\d\d:\d\d [AP]M/);
  await expect(map()).toHaveAttribute('data-drawn-units', String(UNITS));
  await expect(counter('silent')).toContainText('0');
};

for (const { fault, message } of FAILURES) {
  test(`keeps every unit where it was and says what is wrong: ${fault}`, async () => {
    provider.behave(USDOT, fault);
    await expectHeld(message);
    await recover();
  });
}

test('keeps every unit where it was while connections are refused', async () => {
  await provider.refuse();
  await expectHeld('The tracking provider cannot be reached.');
  await provider.accept();
  await expectWell();
});

for (const fault of [
  'wrongContentType',
  'fewBadUnits',
  'unknownFields',
  'numbersAsStrings',
  'duplicateKeys',
  'badUtf8',
  'nullButTheVin',
  'otherVin',
  'hangsForTheRoster',
  'hangsForTheCarrier',
] as const satisfies Behavior[]) {
  test(`goes on without a notice where every unit can be identified: ${fault}`, async () => {
    const before = provider.received.length;
    provider.behave(USDOT, fault);
    await expect
      .poll(() => provider.received.slice(before).filter((asked) => asked.behavior === fault).length)
      .toBeGreaterThan(2);
    await expectWell();
  });
}

test('the screen counts the records that cannot be read, and keeps their units listed', async () => {
  provider.behave(USDOT, 'mostBadUnits');
  await expect(notices()).toContainText(
    '10 of the 12 records that the tracking provider sends cannot be read',
  );
  await expect(pill()).toContainText(/^Partly read · /);
  await expect(counter('silent')).toContainText('0');
  await recover();
});

test('a fleet that drops to zero is held for a moment, then silent under a notice, and returns', async () => {
  const message = 'The tracking provider lists no truck any more; before, it listed 12.';
  provider.behave(USDOT, 'dropsToZero');
  await expectHeld(message);
  await expect(notices()).toContainText('until that is confirmed, Linehaul shows what it listed before');
  // Held, and then missing for a moment, before they count as having left.
  await expect(counter('silent')).toContainText(String(UNITS), { timeout: 40_000 });
  await expect(pill()).toContainText(/^Live/);
  // The longest status label leaves room for a truck's name and position; flag labels may be cut.
  const cut = await page
    .getByRole('option')
    .evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll('b, span')]
          .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
          .map((part) => part.textContent),
      ),
    );
  expect(cut.filter((label) => label !== 'No position')).toEqual([]);
  await expect(notices()).toContainText(message);
  await recover();
  await expect(counter('silent')).toContainText('0');
});

for (const { fault, message } of [
  {
    fault: 'halfList',
    message: 'The tracking provider lists only 6 of the 12 trucks that it listed before.',
  },
  {
    fault: 'firstPageOnly',
    message: 'The tracking provider lists only 3 of the 12 trucks that it listed before.',
  },
  {
    fault: 'repeatsRecords',
    message: 'The tracking provider repeats its last answer: no truck has a newer position.',
  },
] as const) {
  test(`holds an answer that is unusual for the fleet: ${fault}`, async () => {
    provider.behave(USDOT, fault);
    await expectHeld(message);
    await recover();
  });
}

for (const [fault, message] of [
  ['replica60s', 'The tracking provider answers with older positions than before'],
  ['emptyEverySecond', 'The tracking provider lists no truck any more'],
] as const) {
  test(`keeps one notice while answers alternate, and shows the good ones: ${fault}`, async () => {
    provider.behave(USDOT, fault);
    await expect(notices()).toContainText('Its answers alternate');
    const since = provider.received.length;
    while (provider.received.length < since + 12) {
      await expect(notices()).toContainText(message, { timeout: 100 });
      await expect(pill()).toContainText(/^(Live|Unusual) · /, { timeout: 100 });
      await expect(counter('silent')).toContainText('0', { timeout: 100 });
      await page.waitForTimeout(300);
    }
    await recover();
  });
}

test('an older answer moves no unit back, and has a notice', async () => {
  provider.behave(USDOT, 'older');
  await expectHeld(
    'The tracking provider answers with older positions than before; the newer ones are kept.',
  );
  await recover();
});

test('the screen reports clocks that contradict one another, and still shows every unit', async () => {
  provider.behave(USDOT, 'otherClock');
  await expect(notices()).toContainText('The clocks of this server and of the tracking provider are 5 min');
  await expect(pill()).toContainText(/^Unusual · /);
  await expect(map()).toHaveAttribute('data-drawn-units', String(UNITS));
  await expect(counter('silent')).toContainText('0');
  await recover();
});

test("another fleet's units never come onto the map", async () => {
  provider.behave(USDOT, 'otherFleet');
  await expectHeld(
    'The tracking provider lists other trucks than before, as if it answered for another fleet.',
  );
  // Longer than anomalies are held in other tests.
  const since = provider.received.length;
  await expect.poll(() => provider.received.length - since, { timeout: 20_000 }).toBeGreaterThan(8);
  await expectHeld('as if it answered for another fleet');
  await recover();
});

test('the unit of a VIN other than the requested one is refused', async () => {
  provider.behave(USDOT, 'otherVin');
  const [, unit] = createScriptedUnits(UNITS);
  const answer = await page.request.get(`/api/fleets/${USDOT}/units/${unit!.vin}`);
  expect(answer.status()).toBe(502);
  expect(await answer.json()).toMatchObject({ code: 'provider-mismatch' });
});

/** Every provider request besides the feed, with a different fault for each fleet and each VIN. */
const askUnder = async (fault: Behavior, at: number): Promise<APIResponse[]> => {
  const usdot = String(9_100_100 + at);
  const [unit] = createScriptedUnits(1, 30_000 + at);
  provider.give(usdot, [unit!]);
  for (const subject of [usdot, unit!.vin]) provider.behave(subject, fault);
  return Promise.all(
    [
      `/api/fleets/${usdot}/roster`,
      `/api/fleets/${usdot}/units/${unit!.vin}`,
      `/api/fleets/${usdot}/carrier/${unit!.vin}`,
    ].map((path) => page.request.get(path)),
  );
};

test('nothing that the browser and the log received holds a secret, after every fault', async () => {
  provider.behave(USDOT, 'repeatsSecretsInUnits');
  await page.getByRole('option').first().click();
  await expect(page.getByRole('complementary')).toContainText('[hidden]');
  const isServed = (fault: Behavior): boolean =>
    provider.received.some(({ subject, behavior }) => subject === USDOT && behavior === fault);
  for (const fault of FAULT_NAMES.filter((name) => !isServed(name))) {
    provider.behave(USDOT, fault);
    await expect.poll(() => isServed(fault), RECOVERS_WITHIN).toBe(true);
  }
  provider.behave(USDOT, 'good');
  const answers = (await Promise.all(FAULT_NAMES.map(askUnder))).flat();
  const status = await page.request.get('/api/status');

  const received = [
    ...(await collect()),
    ...(await Promise.all([...answers, status].map(toReceivedText))),
    readReceivedText(logFile),
  ];
  // The answers to askUnder, the status, the log and what the browser itself loaded.
  expect(received.length).toBeGreaterThan(answers.length + 20);
  const { find } = createSecretSearch(Object.values(provider.credentials), 'driver');
  const found = received.flatMap(({ where, text }) =>
    find(text).map((secret) => `${secret.slice(0, 12)}… in ${where}`),
  );
  expect(found).toEqual([]);
  expect(provider.elsewhere.requests).toEqual([]);
});
