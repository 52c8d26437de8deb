/**
 * Each kind of rule is made by the form, and fires for one truck and not for another that nearly does what it is about.
 * Both report by ingest; their fixes carry times of the last half hour. lib/live/feed/watched-rules.test.ts has the kinds
 * minute by minute.
 */
import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { ConditionKind } from '@/lib/alerts/schema';
import { WEEKDAYS } from '@/components/ui/weekly-hours/weekly-hours';
import { openDialog } from './support/dialog';
import { expectLive, pill } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import type { LiveUnit } from './support/live-fleet';
import { startScriptedTrucks } from './support/scripted-trucks';
import { sendAsPage } from './support/session';

const USDOT = '9000018';
const YARD = { lat: 32.78123, lng: -96.80457 };
const KM_PER_DEGREE = 111.195;
/** Kilometers north of the yard. */
const QUARRY_KM = 10;
const RADIUS_M = 300;
const MARGIN_M = 75;
const TIME_ZONE = 'America/Chicago';
const MINUTE_MS = 60_000;
const KM_PER_MILE = 1.609344;
/** Some polls, the recording of an alert and the reading of the list, on a busy machine. */
const SOON = { timeout: 30_000 };

test.setTimeout(420_000);

/** Minutes after the start of the script, and kilometers north of the yard. */
type ScriptedFix = readonly [min: number, northKm: number, how?: 'unconfirmed'];

/** "08:05", after its date where that is not today. */
const clock = (atMs: number): string =>
  `(\\w+ \\d+, )?${new Date(atMs).toLocaleTimeString('en-US', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`;

/** One of the minutes from one time to another. */
const clockWithin = (fromMs: number, toMs: number): string => {
  const minutes = Array.from({ length: Math.floor((toMs - fromMs) / MINUTE_MS) + 2 }, (_, i) =>
    clock(Math.min(fromMs + i * MINUTE_MS, toMs)),
  );
  return `(${[...new Set(minutes)].join('|')})`;
};

/** Three fixes, a minute apart, so many kilometers from each other. */
const drives = (kmPerMin: number): ScriptedFix[] => [
  [-3, 3],
  [-2, 3 + kmPerMin],
  [-1, 3 + 2 * kmPerMin],
];

/** A weekday that is neither today nor next to it. */
const OTHER_DAY = (() => {
  const today = new Date().toLocaleDateString('en-US', { timeZone: TIME_ZONE, weekday: 'long' });
  return WEEKDAYS[(WEEKDAYS.indexOf(today as (typeof WEEKDAYS)[number]) + 3) % 7]!;
})();

const fillTime = async (dialog: Locator, minutes: number): Promise<void> => {
  await dialog.getByLabel('Time: unit').selectOption('minutes');
  await dialog.getByLabel('Time', { exact: true }).fill(String(minutes));
};

const choose = async (dialog: Locator, label: string, typed: string, option: string): Promise<void> => {
  const field = dialog.getByRole('combobox', { name: label, exact: true });
  await field.fill(typed);
  await dialog.getByRole('option', { name: option }).click();
  await field.press('Escape');
};

interface RuleCase {
  /** How the form names what happens, and how the rule then reads. */
  option: string;
  reads: string;
  fill?: (dialog: Locator) => Promise<void>;
  /** Of the truck that the rule is about, and of the near miss; absent: they follow later. */
  hit: ScriptedFix[];
  near: ScriptedFix[];
  /** What its alert says after the truck, by the time of a minute of the script, and of its end so far. */
  says: (at: (min: number) => string, startMs: number) => string;
}

const RULES: Record<Exclude<ConditionKind, 'feedFails'>, RuleCase> = {
  arrives: {
    option: 'arrives at',
    reads: 'arrives at Yard Dallas',
    fill: async (dialog) => {
      await dialog.getByLabel('Which sites').selectOption('one of these sites');
      await choose(dialog, 'Sites', 'yard', 'Yard Dallas');
    },
    // The near miss stops beside it.
    hit: [[-22, -2], [-20, 0], [-16, 0]], // prettier-ignore
    near: [[-22, -2], [-20, -0.42], [-16, -0.42]], // prettier-ignore
    says: (at) => `arrived at Yard Dallas at ${at(-20)}`,
  },
  leaves: {
    option: 'leaves',
    reads: 'leaves any site',
    // The near miss moves into the margin.
    hit: [[-25, 0], [-20, 0], [-16, 0], [-12, 2], [-10, 4]], // prettier-ignore
    near: [[-25, 0], [-20, 0], [-16, 0], [-12, 0.35], [-10, 0.35]], // prettier-ignore
    says: (at) => `left Yard Dallas at ${at(-16)}`,
  },
  stays: {
    option: 'stays too long at',
    reads: 'stays at any site longer than 15 min',
    fill: (dialog) => fillTime(dialog, 15),
    hit: [[-22, -2], [-20, 0], [-16, 0], [-1, 0]], // prettier-ignore
    near: [[-12, -2], [-10, 0], [-6, 0], [-1, 0]], // prettier-ignore
    says: (at) => `has been at Yard Dallas for 2\\d min, since ${at(-20)}`,
  },
  entersNoGo: {
    option: 'enters a no-go area',
    reads: 'enters a no-go area',
    // The near miss comes into a yard.
    hit: [[-22, 8], [-20, QUARRY_KM], [-16, QUARRY_KM]], // prettier-ignore
    near: [[-22, -2], [-20, 0], [-16, 0]], // prettier-ignore
    says: (at) => `entered the no-go area Quarry at ${at(-20)}`,
  },
  standsOutside: {
    option: 'stands outside any site for',
    reads: 'stands longer than 15 min outside any site',
    fill: (dialog) => fillTime(dialog, 15),
    hit: [[-22, 3], [-20, 5], [-14, 5], [-1, 5]], // prettier-ignore
    near: [[-10, 3], [-8, 5], [-6, 5], [-1, 5]], // prettier-ignore
    says: (at) => `stood for 2\\d min outside any site, since ${at(-20)}`,
  },
  // The tracking API lists a truck for half an hour after its fix: these are soon left out.
  vanishes: {
    option: 'vanishes while moving',
    reads: 'vanishes while moving',
    hit: [[-29.8, 3], [-29.4, 3.5]], // prettier-ignore
    near: [[-29.8, 3], [-29.4, 3]], // prettier-ignore
    says: (at) => `vanished while moving: last fix at ${at(-29.4)}, \\d+ mph derived`,
  },
  silent: {
    option: 'is silent for',
    reads: 'is silent for 20 min',
    fill: (dialog) => fillTime(dialog, 20),
    hit: [[-21, 3]],
    near: [[-12, 3]],
    says: (at) => `was silent for 2\\d min: last fix at ${at(-21)}`,
  },
  late: {
    option: 'is late',
    reads: 'is late',
    // Both are six minutes old: one has reported every minute, the near miss every four.
    hit: [[-10, 3], [-9, 4], [-8, 5], [-7, 6], [-6, 7]], // prettier-ignore
    near: [[-22, 3], [-18, 4], [-14, 5], [-10, 6], [-6, 7]], // prettier-ignore
    // With its fourth fix its pace is known.
    says: (at) => `was late: last fix at ${at(-7)}`,
  },
  reportsAgain: {
    option: 'reports again after it was silent',
    reads: 'reports again after it was silent',
    // Both report again once the first is silent, after half an hour.
    hit: [[-29.4, 3]],
    near: [[-25, 3]],
    says: (_, startMs) => `reported again at ${clockWithin(startMs, Date.now())} after 3\\d min of silence`,
  },
  flagged: {
    option: 'gets the flag',
    reads: 'gets the flag “Jumped”',
    fill: (dialog) => choose(dialog, 'Flags', 'jump', 'Jumped'),
    // A position that is too far to drive to is taken with the next fix there. The near miss drives at 105 mph.
    hit: [[-3, 3], [-2, 53, 'unconfirmed'], [-1, 53.1]], // prettier-ignore
    near: drives((105 / 60) * KM_PER_MILE),
    says: (_, startMs) => `was flagged “Jumped” at ${clockWithin(startMs, Date.now())}`,
  },
  exceeds: {
    option: 'drives faster than',
    reads: 'exceeds 70 mph, derived over at least two fixes',
    fill: (dialog) => dialog.getByLabel('Miles per hour').fill('70'),
    hit: drives((75 / 60) * KM_PER_MILE),
    near: drives((65 / 60) * KM_PER_MILE),
    says: (at) => `exceeded 70 mph: 75 mph derived over at least two fixes, at ${at(-2)}`,
  },
  movesOutsideHours: {
    option: 'moves outside its hours',
    reads: `moves outside ${OTHER_DAY.slice(0, 3)} 06:00–18:00 CT`,
    fill: async (dialog) => {
      const days = dialog.getByRole('group', { name: 'Its hours' }).getByRole('group', { name: 'Weekdays' });
      for (const day of WEEKDAYS) {
        const button = days.getByRole('button', { name: day });
        const isPressed = (await button.getAttribute('aria-pressed')) === 'true';
        if (isPressed !== (day === OTHER_DAY)) await button.click();
      }
    },
    hit: drives(1),
    near: drives(0),
    says: (at) => `moved outside ${OTHER_DAY.slice(0, 3)} 06:00–18:00 CT: at ${at(-2)}, 37 mph derived`,
  },
};
const CASES = Object.entries(RULES).map(([kind, rule], i) => ({
  kind,
  ...rule,
  trucks: [2 * i, 2 * i + 1] as const,
}));

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
  fleet = await startScriptedTrucks(testInfo, { usdot: USDOT, count: 2 * CASES.length, origin: YARD });
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
    for (const rule of CASES)
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
    const fixes = CASES.flatMap(({ hit, near, trucks }) =>
      [hit, near].flatMap((of, i) =>
        of.map(([min, northKm, how]) => ({ min, northKm, isShown: how === undefined, truck: trucks[i]! })),
      ),
    );
    const minutes = [...new Set(fixes.map(({ min }) => min))].sort((a, b) => a - b);
    for (const minute of minutes)
      await reportAll(page, toMs(minute), fixes.filter(({ min }) => min === minute)); // prettier-ignore
  });
  const trucksOf = (kind: ConditionKind) => CASES.find((each) => each.kind === kind)!.trucks;
  await test.step('some are silent, of which one reports again with its near miss', async () => {
    const [moving, standing] = trucksOf('vanishes');
    await expect.poll(() => reasonOf(page, moving), { timeout: 90_000 }).toBe('vanishedMoving');
    await expect.poll(() => reasonOf(page, standing), SOON).toBe('vanishedStopped');
    const again = trucksOf('reportsAgain').map((truck) => ({ truck, northKm: 3.1, isShown: true }));
    await reportAll(page, Math.floor(Date.now() / 1000) * 1000, again);
  });
  const expectAlerts = async (): Promise<void> => {
    for (const { trucks, says } of CASES) {
      const sentence = says((min) => clock(toMs(min)), startMs);
      const name = new RegExp(`^Warning: Truck ${numberOf(trucks[0])} ${sentence}(, new)?$`);
      await expect(alerts.and(page.getByRole('listitem', { name }))).toHaveCount(1, SOON);
    }
  };
  await test.step('each rule has one alert', async () => {
    await expectAlerts();
    await expect(alerts).toHaveCount(CASES.length);
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
      new RegExp(`^Warning: The feed gave no usable answer for 1 min, since ${since}(, new)?$`),
    );
    await fleet.proxy.restore();
    await expectLive(page);
  });
  await test.step('still none has another alert', async () => {
    await expectAlerts();
    await expect(alerts).toHaveCount(CASES.length + 1);
  });
});
