/**
 * Each kind of rule is made by the form, and fires for one truck and not for another that nearly does what it is about.
 * Both report by ingest; their fixes carry times of the last half hour. lib/feeds/feed/watched-rules.test.ts has the kinds
 * minute by minute.
 */
import { expect, test, type Page } from '@playwright/test';
import type { ConditionKind } from '@/lib/rules/alert-rule';
import { openDialog } from './support/dialog';
import { expectLive, pill } from './support/fleet-page';
import { readLiveUnits, type LiveUnit } from './support/live-fleet';
import {
  QUARRY_KM,
  RULE_CASES,
  choose,
  clock,
  clockWithin,
  fillTime,
  type RuleCase,
} from './support/rule-cases';
import { KM_PER_DEGREE, startScriptedTrucks } from './support/scripted-trucks';
import { sendAsPage } from './support/session';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '9000018';
const YARD = { lat: 32.78123, lng: -96.80457 };
const RADIUS_M = 300;
const MARGIN_M = 75;
/** Some polls, the recording of an alert and the reading of the list, on a busy machine. */
const SOON = { timeout: 30_000 };

/** Trucks that report at once, so that the fixes of the others are those of late trucks, and not of a late provider. */
const PUNCTUAL = RULE_CASES.length;

test.setTimeout(420_000);

/** Adds a rule by the form, for two trucks of which it fires for one; without a cool-down, so that it might fire again. */
const addRule = async (
  page: Page,
  { option, reads, fill }: Pick<RuleCase, 'option' | 'reads' | 'fill'>,
  trucks: readonly string[],
): Promise<void> => {
  await openDialog(page.getByRole('button', { name: 'Add a rule' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What happens').selectOption(option);
  if (trucks.length > 0) {
    await dialog.getByLabel('Which trucks').selectOption('one of these trucks');
    for (const truck of trucks) await choose(dialog, 'Trucks', truck, truck);
  }
  await fill?.(dialog);
  await dialog.getByLabel('Cool-down', { exact: true }).fill('0');
  const subject = trucks.length > 0 ? `truck ${trucks.join(' or ')}` : 'the feed';
  await expect(dialog.getByText(`When ${subject} ${reads}.`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByText(`When ${subject} ${reads}.`)).toBeVisible();
};

let fleet: Awaited<ReturnType<typeof startScriptedTrucks>>;
test.beforeAll(async ({}, testInfo) => {
  fleet = await startScriptedTrucks(testInfo, {
    ...{ usdot: USDOT, count: 2 * RULE_CASES.length + PUNCTUAL, origin: YARD },
  });
  const { url, cookie } = fleet.application;
  for (const site of [
    { name: 'Yard Dallas', kind: 'yard', northKm: 0 },
    { name: 'Quarry', kind: 'noGo', northKm: QUARRY_KM },
  ]) {
    const { northKm, ...named } = site;
    const place = { lat: YARD.lat + northKm / KM_PER_DEGREE, lng: YARD.lng };
    const response = await sendAsPage(
      url,
      `/api/fleets/${USDOT}/sites`,
      {
        ...{ ...named, color: '#2f7de1', notes: '', openingHours: null, marginM: MARGIN_M },
        shape: { type: 'circle', ...place, radiusM: RADIUS_M },
      },
      cookie,
    );
    expect(response.status).toBe(200);
  }
});
test.beforeEach(({ context }) => fleet.application.signIn(context));
test.afterAll(() => fleet?.stop());

const numberOf = (truck: number): string => fleet.trucks[truck]!.truckNumber;

/** Reports fixes of one moment, and waits until the fleet has been polled with them. */
const reportAll = async (
  page: Page,
  atMs: number,
  fixes: readonly { truck: number; northKm: number; isShown: boolean }[],
): Promise<void> => {
  const shown = fixes.filter(({ isShown }) => isShown);
  // Those that cannot be waited for come first, so that a poll that has the others has them too.
  for (const part of [fixes.filter(({ isShown }) => !isShown), shown])
    await Promise.all(part.map(({ truck, northKm }) => fleet.report(truck, atMs, northKm)));
  const wanted = shown.map(({ truck }) => numberOf(truck));
  const readSeen = async () =>
    (await readUnits(page)).filter(({ fixAtMs }) => fixAtMs === atMs).map(({ truckNumber }) => truckNumber);
  await expect.poll(async () => (await readSeen()).sort(), SOON).toEqual(wanted.sort());
};

const readUnits = (page: Page): Promise<LiveUnit[]> =>
  readLiveUnits(page.request, USDOT, fleet.application.url);

const reasonOf = async (page: Page, truck: number): Promise<string | undefined> =>
  (await readUnits(page)).find(({ truckNumber }) => truckNumber === numberOf(truck))?.reason;

test('a rule of each kind fires once, for the right truck and with its times, and for no near miss', async ({
  page,
}) => {
  const { url } = fleet.application;
  await test.step('the rules are made', async () => {
    await page.goto(`${url}/fleets/${USDOT}/alerts?tab=rules`);
    // Trucks that have not reported yet are named by their VINs.
    for (const rule of RULE_CASES)
      await addRule(
        page,
        rule,
        rule.trucks.map((truck) => fleet.trucks[truck]!.vin.slice(-6)),
      );
    const feedFails = { option: 'The feed gives no usable answer for', reads: 'fails longer than 1 min' };
    await addRule(page, { ...feedFails, fill: (dialog) => fillTime(dialog, 1) }, []);
  });
  await page.goto(`${url}/fleets/${USDOT}/alerts`);
  const alerts = page.getByRole('main').getByRole('listitem');
  await expect(page.getByText('No alerts')).toBeVisible();

  const startMs = Math.floor(Date.now() / 1000) * 1000;
  const toMs = (min: number): number => startMs + min * MINUTE_MS;
  await test.step('the trucks report', async () => {
    const punctual = Array.from({ length: PUNCTUAL }, (_, i) => 2 * RULE_CASES.length + i);
    for (const atMs of [startMs - MINUTE_MS, startMs])
      await reportAll(
        page,
        atMs,
        punctual.map((truck) => ({ truck, northKm: 6, isShown: true })),
      );
    const fixes = RULE_CASES.flatMap(({ hit, near, trucks }) =>
      [hit, near].flatMap((of, i) =>
        of.map(([min, northKm, how]) => ({ min, northKm, isShown: how === undefined, truck: trucks[i]! })),
      ),
    );
    const minutes = [...new Set(fixes.map(({ min }) => min))].sort((a, b) => a - b);
    for (const minute of minutes)
      await reportAll(
        page,
        toMs(minute),
        fixes.filter(({ min }) => min === minute),
      );
  });
  const trucksOf = (kind: ConditionKind) => RULE_CASES.find((each) => each.kind === kind)!.trucks;
  await test.step('some are silent, of which one reports again with its near miss', async () => {
    const [moving, standing] = trucksOf('vanishes');
    await expect.poll(() => reasonOf(page, moving), { timeout: 90_000 }).toBe('vanishedMoving');
    await expect.poll(() => reasonOf(page, standing), SOON).toBe('vanishedStopped');
    const again = trucksOf('reportsAgain').map((truck) => ({ truck, northKm: 3.1, isShown: true }));
    await reportAll(page, Math.floor(Date.now() / 1000) * 1000, again);
  });
  const expectAlerts = async (): Promise<void> => {
    for (const { trucks, says } of RULE_CASES) {
      const sentence = says((min) => clock(toMs(min)), startMs);
      const name = new RegExp(`^Warning: Truck ${numberOf(trucks[0])} ${sentence}(, new)?$`);
      await expect(alerts.and(page.getByRole('listitem', { name }))).toHaveCount(1, SOON);
    }
  };
  await test.step('each rule has one alert', async () => {
    await expectAlerts();
    await expect(alerts).toHaveCount(RULE_CASES.length);
  });
  await test.step('the feed fails for a moment, and for longer than a minute', async () => {
    const breakFeed = async (): Promise<void> => {
      await fleet.proxy.cut();
      await expect(pill(page)).not.toContainText('Live', SOON);
    };
    await breakFeed();
    await fleet.proxy.restore();
    await expectLive(page);
    const failsFromMs = Date.now();
    await breakFeed();
    const failed = alerts.and(page.getByRole('listitem', { name: /^Warning: The feed / }));
    await expect(failed).toHaveCount(1, { timeout: 120_000 });
    const since = clockWithin(failsFromMs, failsFromMs + 10_000);
    await expect(failed).toHaveAccessibleName(
      new RegExp(
        `^Warning: The feed has given no usable answer for more than 1 min, since ${since}(, new)?$`,
      ),
    );
    await fleet.proxy.restore();
    await expectLive(page);
  });
  await test.step('still none has another alert', async () => {
    await expectAlerts();
    await expect(alerts).toHaveCount(RULE_CASES.length + 1);
  });
});
