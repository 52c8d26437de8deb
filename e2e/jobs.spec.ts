/**
 * The jobs that a dispatcher does all day, in Chromium, Firefox and WebKit, at a desk and on a phone, by mouse and by
 * keyboard alone. The most clicks that a job may take are in its title, and counted.
 * From the demo to one's own first truck is in newcomer.spec.ts.
 */
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import type { RecordedHours } from '@/lib/past/schema';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { DEMO_USDOT, startApplication, type Application } from './support/application';
import { readLiveUnits } from './support/live-fleet';
import { BROWSERS, SIZE, openOtherBrowser, type BrowserName, type Look } from './support/other-browsers';
import { insertRecordedDay } from './support/recorded-day';
import { sendAsPage } from './support/session';

test.setTimeout(180_000);

const ZONE = 'America/Chicago';
const FLEET = `/fleets/${DEMO_USDOT}`;
const YARD = 'Wheeling yard';
const RULE = 'Lost on the road';
const ALERTS = 40;
/** Two in the afternoon as a share of the day. */
const TWO_PM = 14 / 24;

/** A day as the time bar names it. */
const DAY = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' },
});

type AnyBrowser = Awaited<ReturnType<typeof openOtherBrowser>>;

const LOOKS: Record<'desk, light' | 'phone, dark', Look> = {
  'desk, light': { ...SIZE, isDark: false, isTouch: false },
  'phone, dark': { width: 390, height: 844, isDark: true, isTouch: true },
};
const WAYS = ['mouse', 'keyboard'] as const;

/** Runs in the page. Whether the focus is on an element that matches a selector and has a text or a label. */
const isFocused = (selector: string, text: string): boolean => {
  const element = document.activeElement;
  return element?.matches(selector) === true && (element.ariaLabel ?? element.textContent).includes(text);
};

interface Hands {
  isPhone: boolean;
  /** Whether a number is called by a link, as fingers press it. */
  isTouch: boolean;
  clicks: () => number;
  /**
   * Presses an element by a selector and a part of its text or label: with a click, at a share of its width, or by keys:
   * without any by the tab key, as often as it takes, and Enter.
   */
  press: (selector: string, text?: string, by?: { keys?: string[]; share?: number }) => Promise<void>;
  type: (text: string) => Promise<void>;
  see: AnyBrowser['see'];
  browser: AnyBrowser;
}

/** More elements than any page has before the one that is wanted. */
const MOST_TABS = 150;

const createHands = (
  browser: AnyBrowser,
  way: (typeof WAYS)[number],
  look: Look,
  name: BrowserName,
): Hands => {
  let clicks = 0;
  const tabTo = async (selector: string, text: string): Promise<void> => {
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if (await browser.evaluate(isFocused, selector, text)) return;
      await browser.press(['Tab']);
    }
    throw new Error(`The tab key does not reach ${selector} “${text}”.`);
  };
  return {
    isPhone: look.isTouch,
    // No setting of WebKitGTK makes its pointer a finger.
    isTouch: look.isTouch && name !== 'webkit',
    clicks: () => clicks,
    press: async (selector, text = '', { keys, share } = {}) => {
      await browser.see(selector, text);
      if (way === 'mouse') {
        clicks++;
        await browser.click(selector, text, share);
      } else if (keys === undefined) {
        await tabTo(selector, text);
        await browser.press(['Enter']);
      } else await browser.press(keys);
    },
    type: (text) => browser.type(text),
    see: browser.see,
    browser,
  };
};

const search = (hands: Hands) => hands.press('[role=search] input', '', { keys: ['/'] });

/** Selects a truck on the map by its number. */
const findTruck = async (hands: Hands, { name }: Truck): Promise<void> => {
  await search(hands);
  await hands.type(name);
  await hands.see('[aria-label=Trucks] [role=option], [aria-label=Suggestions] [role=option]', name);
  await hands.browser.press(['Enter']);
  await hands.see('aside h2', `Truck ${name}`);
};

/** Opens a page of the fleet from the map: from the rail, or from a phone's menu. */
const openPage = async (hands: Hands, name: string): Promise<void> => {
  if (!hands.isPhone) return hands.press('nav[aria-label=Pages] a', name);
  await hands.press('button', 'Menu');
  await hands.press('[role=menuitem]', name);
};

interface Truck {
  key: string;
  name: string;
}
/** What the jobs are about. */
interface World {
  application: Application;
  db: pg.Client;
  /** A truck of the fleet's made past. */
  lately: Truck;
  /** A truck that drove from Pittsburgh by Wheeling to Columbus three days ago. */
  recorded: Truck;
}

interface Job {
  title: string;
  most: number;
  /** Before the map is opened. */
  prepare?: (world: World) => Promise<void>;
  run: (hands: Hands, world: World) => Promise<void>;
}

/** Opens new alerts, each of another truck, as the recorder writes them. */
const openAlerts = async ({ db }: World): Promise<void> => {
  await db.query('delete from linehaul.alerts');
  await db.query(
    `insert into linehaul.alerts (usdot, rule_id, rule_name, severity, unit, opened_ms, facts)
     select usdot, id, name, severity, 'VIN' || n, $2, jsonb_set($3, '{unitName}', to_jsonb('5' || n))
     from linehaul.alert_rules, generate_series(1, $4::int) n where name = $1`,
    [
      RULE,
      Date.now(),
      JSON.stringify({
        condition: { kind: 'vanishes' },
        fixAtMs: Date.now() - 60_000,
        ...{ lat: 32.78, lng: -96.8, status: 'silent', reason: 'vanishedMoving', speedMph: 68 },
        ...{ sinceMs: null, siteId: null, siteName: null, betweenMs: null, flags: [] },
      }),
      ALERTS,
    ],
  );
};

const JOBS: Job[] = [
  {
    title: 'nearest free truck to Joplin, MO',
    most: 3,
    run: async (hands) => {
      await search(hands);
      await hands.type('Joplin');
      await hands.press('[aria-label=Suggestions] [role=option]', 'Nearest trucks to Joplin, MO', {
        keys: ['ArrowDown', 'ArrowDown', 'Enter'],
      });
      await hands.press('aside [aria-label="Which trucks"] button', 'Free');
      await hands.see('aside span', 'Free: with the tag free');
      await hands.see('aside [aria-label="Nearest trucks"] li');
    },
  },
  {
    title: 'where a truck was yesterday at 2 PM',
    most: 4,
    run: async (hands, { lately }) => {
      await hands.press('button', 'Back in time', { keys: ['p'] });
      await hands.see('[role=slider]', 'Moment');
      // By keys, the hours before midnight are those of the day before.
      await hands.press('[aria-label=Past] button', 'Day before', {
        keys: ['Home', ...Array<string>(10).fill('PageDown')],
      });
      const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
      await hands.see('[aria-label=Past] button', DAY.format(Date.parse(yesterday)));
      await hands.press('[role=slider]', 'Moment', { keys: [], share: TWO_PM });
      await expect
        .poll(() => hands.browser.evaluate(() => document.querySelector('[aria-label=Past] b')?.textContent))
        .toMatch(/^(.*, )?(1:5|2:0)\d:\d\d PM/);
      await findTruck(hands, lately);
      await expect
        .poll(() =>
          hands.browser.evaluate(
            () =>
              [...document.querySelectorAll('aside dt')].find(({ textContent }) => textContent === 'Place')
                ?.nextElementSibling?.textContent,
          ),
        )
        .toMatch(/[a-z], [A-Z]{2}/);
    },
  },
  {
    title: 'who came to a yard that was drawn a minute ago',
    most: 4,
    run: async (hands, { recorded }) => {
      await openPage(hands, 'Sites');
      await hands.press('[aria-label="List of sites"] a', YARD);
      await hands.press('a', 'Who was here?');
      await hands.see('[aria-label=Visits] button', recorded.name);
    },
  },
  {
    title: 'one truck in West Virginia in the last month',
    most: 4,
    run: async (hands, { recorded }) => {
      await findTruck(hands, recorded);
      await hands.press('aside a', 'Open truck');
      await hands.press('[aria-label="Views of this truck"] a', 'Reports');
      await hands.press('a', 'Miles by state');
      await hands.see('[aria-label="Miles by state"] tr', 'West Virginia');
    },
  },
  {
    title: 'call the driver of the truck that is silent longest',
    most: 2,
    run: async (hands) => {
      await hands.press('[aria-label="Filter by status"] button', 'Silent');
      if (!hands.isTouch) {
        await hands.press('[aria-label="List of trucks"] button', 'Copy the number of ');
        await hands.see('[role=status]', 'copied');
        return;
      }
      await hands.browser.evaluate(() =>
        addEventListener('click', (event) => {
          const link = (event.target as Element).closest('a');
          if (link === null) return;
          event.preventDefault();
          document.body.dataset.called = link.href;
        }),
      );
      await hands.press('[aria-label="List of trucks"] a', 'Call ');
      await hands.browser.waitFor('a call', () => /^tel:\+1\d{10}/.test(document.body.dataset.called ?? ''));
    },
  },
  {
    title: `acknowledge ${ALERTS} alerts`,
    most: 3,
    prepare: openAlerts,
    run: async (hands) => {
      await openPage(hands, 'Alerts');
      await hands.press('main button', `Acknowledge all ${ALERTS}`);
      await hands.browser.waitFor(
        'who took them',
        (count) => document.querySelector('main')!.textContent.split(' took it at ').length > count,
        ALERTS,
      );
    },
  },
];

let world: World;

const startWorld = async (application: Application, db: pg.Client, units: Truck[]): Promise<World> => {
  const [lately, recorded] = units as [Truck, Truck];
  const day = addDays(dayOf(Date.now(), ZONE), -3);
  const dayMs = dayRange(day, ZONE).fromMs;
  await insertRecordedDay(application.databaseUrl, { usdot: DEMO_USDOT, unit: recorded.key, dayMs });
  const site = { name: YARD, kind: 'yard', color: '#1d6fd8', notes: '', openingHours: null, marginM: 75 };
  const shape = { type: 'circle', lat: 40.064, lng: -80.7209, radiusM: 5000 };
  expect((await sendAsPage(application.url, `/api${FLEET}/sites`, { ...site, shape })).ok).toBe(true);
  await db.query(
    `insert into linehaul.alert_rules (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
     values ($1, $2, '{"kind":"vanishes"}', '{"type":"all"}', 'critical', 30, false, 'The test', now(), now())`,
    [DEMO_USDOT, RULE],
  );
  return { application, db, lately, recorded };
};

/** The older part of the demo's past is recorded once the server is ready. */
const waitForYesterday = async (application: Application): Promise<void> => {
  const { fromMs } = dayRange(addDays(dayOf(Date.now(), ZONE), -1), ZONE);
  const atMs = fromMs + TWO_PM * DAY_MS;
  const path = `/api${FLEET}/past/hours?from=${atMs}&to=${atMs + MINUTE_MS}`;
  await expect
    .poll(async () => ((await (await application.fetch(path)).json()) as RecordedHours).coverage.length, {
      timeout: 120_000,
    })
    .toBeGreaterThan(0);
};

test.beforeAll(async ({ request }, testInfo) => {
  const application = await startApplication(
    { LINEHAUL_TEST_DEMO_HISTORY_HOURS: '36', DEMO_UNITS: '100' },
    testInfo.outputPath('jobs.log'),
  );
  await expect.poll(async () => (await application.fetch('/api/health/ready')).status).toBe(200);
  await waitForYesterday(application);
  const units = await readLiveUnits(request, DEMO_USDOT, application.url);
  const silent = units.filter(({ status }) => status === 'silent');
  expect(silent.length).toBeGreaterThan(0);
  const nobody = { secondDriver: '', secondDriverPhone: '', dispatcher: '', dispatcherPhone: '', text: '' };
  for (const { key } of silent) {
    const ann = { unit: key, driver: 'Ann Lee', driverPhone: '(512) 555-0123', ...nobody };
    const { status } = await sendAsPage(application.url, `/api${FLEET}/contacts`, ann, '', 'PUT');
    expect(status).toBe(204);
  }
  const db = new pg.Client({ connectionString: application.databaseUrl });
  await db.connect();
  const moving = units.filter(({ status, isElsewhere }) => status === 'moving' && !isElsewhere);
  world = await startWorld(
    application,
    db,
    moving.flatMap(({ key, truckNumber }) => (truckNumber === null ? [] : { key, name: truckNumber })),
  );
});
test.afterAll(async () => {
  await world.db.end();
  await world.application.stop();
});

for (const name of BROWSERS)
  for (const [lookName, look] of Object.entries(LOOKS))
    test.describe(`${name}, ${lookName}`, () => {
      let browser: AnyBrowser;
      test.beforeAll(async () => {
        browser = await openOtherBrowser(name, look);
      });
      test.afterAll(() => browser.close());

      for (const way of WAYS)
        for (const { title, most, prepare, run } of JOBS)
          test(`${title}: by ${way === 'mouse' ? `mouse in ${most} clicks at most` : 'keyboard alone'}`, async () => {
            await prepare?.(world);
            await browser.open(`${world.application.url}${FLEET}`);
            await browser.waitFor('the fleet', () => {
              const { drawnUnits } = document.querySelector<HTMLElement>('.leaflet-container')?.dataset ?? {};
              return Number(drawnUnits) > 0;
            });
            expect(await browser.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(
              look.isDark,
            );
            const hands = createHands(browser, way, look, name);
            await run(hands, world);
            expect(hands.clicks()).toBeLessThanOrEqual(way === 'mouse' ? most : 0);
            expect(await browser.readErrors()).toEqual([]);
          });
    });
