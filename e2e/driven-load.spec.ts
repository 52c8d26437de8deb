/**
 * Three loads, made by the keyboard alone, by a workbook and by a program, are driven to their end by trucks whose devices
 * report to the own fleet's ingest, with a swap of trucks in the middle; in each browser. The server's clock is the test's.
 * server/service/driven-load.test.ts has the same drive minute by minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { writeXlsx } from 'hucre/xlsx';
import { MINUTE_MS } from '@/lib/base/time';
import { typeAppointment } from '@/lib/loads/typed-appointment';
import { toIso } from '@/lib/loads/times';
import { toWallClock } from '@/lib/trips/days';
import { FROM, LAST_MIN, SWAP_MIN, TO, UNTIL_MIN, VERDICTS } from '@/testing/service/driven-load';
import { OWN_CARRIER } from '@/testing/service/vehicles';
import { startApplication, type Application } from './support/application';
import { lngOf as toLng, prepareTrucks, truckOf as toTruck } from './support/driven-trucks';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { MANAGER, sendAsPage } from './support/session';

const { usdot } = OWN_CARRIER;
const FLEET = `/fleets/${usdot}`;
const ZONE = 'America/Chicago';
const STEP_MIN = 5;
const WAYS = ['keyboard', 'workbook', 'program'] as const;
type Way = (typeof WAYS)[number];
/** What a browser shows of each load, some minutes after each verdict has changed: [min, verdict, state]. */
const MOMENTS: readonly [min: number, verdict: string, state: string][] = [
  [5, 'onTime', 'On the way to pickup'],
  [25, 'onTime', 'At pickup since'],
  [60, 'atRisk', 'In transit'],
  [140, 'late', 'In transit'],
  [160, 'atRisk', 'In transit'],
  [190, 'onTime', 'In transit'],
  [210, 'onTime', 'At delivery since'],
  [225, 'done', 'Delivered'],
];
/** Before the appointment ends: the alerts are open, and closed again. */
const [OPENED_MIN, CLOSED_MIN] = [140, 180];
const SWAP_STEP_MIN = Math.ceil(SWAP_MIN / STEP_MIN) * STEP_MIN;

test.setTimeout(280_000);

type AnyBrowser = Awaited<ReturnType<typeof openOtherBrowser>>;

interface World {
  application: Application;
  browser: AnyBrowser;
  startMs: number;
}

const referenceOf = (way: Way): string =>
  ({ keyboard: 'kb-8841', workbook: 'xl-8842', program: 'TMS 88/43' })[way];
const truckOf = (way: Way, which: 1 | 2): string => toTruck(WAYS.indexOf(way), which);
const lngOf = (way: Way): number => toLng(WAYS.indexOf(way));

/** Runs in the page. The status of a sign-in, whose session the browser keeps. */
const sendSignIn = async (email: string, password: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  return (await fetch('/api/auth/sign-in/email', { method: 'POST', headers, body })).status;
};

const signIn = async ({ browser, application }: World): Promise<void> => {
  await browser.open(`${application.url}/sign-in`);
  expect(await browser.evaluate(sendSignIn, MANAGER.email, MANAGER.password)).toBe(200);
};

/** The appointments at pickup and delivery, Unix ms. */
const toAppointments = ({ startMs }: World) => [
  { fromMs: startMs, toMs: startMs + 60 * MINUTE_MS },
  { fromMs: startMs + 60 * MINUTE_MS, toMs: startMs + UNTIL_MIN * MINUTE_MS },
];

const makeByKeyboard = async (world: World): Promise<void> => {
  const { browser, application } = world;
  await browser.open(`${application.url}${FLEET}/loads?span=all`);
  await browser.see('button', 'New load');
  await browser.see('button', 'Live · ');
  await browser.press(['+']);
  const [pickup, delivery] = toAppointments(world).map((appointment) => typeAppointment(appointment, ZONE));
  const lng = lngOf('keyboard').toFixed(5);
  const typed: readonly [field: string, text: string][] = [
    ['reference', referenceOf('keyboard')],
    ['unit', truckOf('keyboard', 1)],
    ['customer', 'Peachtree Paper'],
    ['stops.0.place', `${FROM.lat.toFixed(5)}, ${lng}`],
    ['stops.0.appointment', pickup!],
    ['stops.1.place', `${TO.lat.toFixed(5)}, ${lng}`],
    ['stops.1.appointment', delivery!],
  ];
  for (const [field, text] of typed) {
    if (field !== 'reference') await browser.press(['Tab']);
    await browser.waitFor(field, (name) => document.activeElement?.getAttribute('name') === name, field);
    await browser.type(text);
  }
  await browser.press(['Enter']);
  await browser.see('a', referenceOf('keyboard'));
};

const toWorkbook = async (world: World, which: 1 | 2): Promise<string> => {
  const times = toAppointments(world).flatMap(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => toWallClock(ms, ZONE).slice(0, 16)),
  );
  const lng = lngOf('workbook');
  const columns: readonly [name: string, value: string | number][] = [
    ['Load', referenceOf('workbook')],
    ['Truck', truckOf('workbook', which)],
    ['Customer', 'Lone Star Foods'],
    ['Pickup', 'Yard'],
    ['Pickup lat', FROM.lat],
    ['Pickup lng', lng],
    ['Pickup from', times[0]!],
    ['Pickup to', times[1]!],
    ['Delivery', 'Plant'],
    ['Delivery lat', TO.lat],
    ['Delivery lng', lng],
    ['Delivery from', times[2]!],
    ['Delivery to', times[3]!],
  ];
  const rows = [columns.map(([name]) => name), columns.map(([, value]) => value)];
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Loads', rows }] })).toString('base64');
};

/** Runs in the page. Chooses a workbook in the dialog. */
const chooseFile = (base64: string): void => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const chosen = new DataTransfer();
  chosen.items.add(new File([bytes], 'loads.xlsx'));
  const input = document.querySelector<HTMLInputElement>('[role=dialog] input[type=file]')!;
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};

const readStatus = (): string => document.querySelector('[role=dialog] [role=status]')?.textContent ?? '';

const importWorkbook = async (world: World, which: 1 | 2): Promise<void> => {
  const { browser, application } = world;
  await browser.open(`${application.url}${FLEET}/loads?span=all`);
  await browser.click('button', 'Import');
  await browser.see('[role=dialog] input[type=file]');
  const file = await toWorkbook(world, which);
  // The sites of the fleet and the towns may still be loading.
  await expect
    .poll(
      async () => {
        await browser.evaluate(chooseFile, file);
        await sleep(500);
        return browser.evaluate(readStatus);
      },
      { timeout: 30_000 },
    )
    .toContain('Ready to import: ');
  await browser.click('[role=dialog] button', 'Import 1 load');
  await browser.see('[role=status]', 'Imported: ');
};

/** Sends a load as a TMS does, and returns what it is answered. */
const createTms = async (world: World) => {
  const { url, cookie } = world.application;
  const made = await sendAsPage(url, '/api/load-keys', { usdot, name: 'TMS', expiresAtMs: null }, cookie);
  const { key } = (await made.json()) as { key: string };
  const address = `${url}/api/v1/loads/${encodeURIComponent(referenceOf('program'))}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const lng = lngOf('program');
  const [pickup, delivery] = toAppointments(world).map(({ fromMs, toMs }) => ({
    from: toIso(fromMs, ZONE),
    to: toIso(toMs, ZONE),
  }));
  return {
    put: async (which: 1 | 2): Promise<number> => {
      const stops = [
        { kind: 'pickup', place: { name: 'Yard', lat: FROM.lat, lng }, appointment: pickup },
        { kind: 'delivery', place: { name: 'Plant', lat: TO.lat, lng }, appointment: delivery },
      ];
      const body = JSON.stringify({ truck: truckOf('program', which), customer: 'Acme', stops });
      return (await fetch(address, { method: 'PUT', headers, body })).status;
    },
    get: async () =>
      (await (await fetch(address, { headers })).json()) as {
        state: string;
        verdict: string;
        truck: unknown;
      },
  };
};

interface Listed {
  id: number;
  reference: string;
  state: string;
  verdict: string;
}

/** The loads of the board, by how they were made. */
const readBoard = async ({ application }: World): Promise<Map<Way, Listed>> => {
  const { loads } = (await (await application.fetch(`/api${FLEET}/loads`)).json()) as { loads: Listed[] };
  return new Map(
    WAYS.map((way) => [way, loads.find(({ reference }) => reference === referenceOf(way))!] as const),
  );
};

/** The second truck takes each load on: on its page, by the workbook again, and by the program. */
const swapTrucks = async (world: World, tms: Awaited<ReturnType<typeof createTms>>): Promise<void> => {
  const { browser, application } = world;
  const { id } = (await readBoard(world)).get('keyboard')!;
  await browser.open(`${application.url}${FLEET}/loads/${id}`);
  await browser.click('button', 'Change truck');
  await browser.waitFor('the field', () => document.activeElement?.getAttribute('name') === 'unit');
  await browser.type(truckOf('keyboard', 2));
  await browser.press(['Enter']);
  await browser.see('main', `Given to truck ${truckOf('keyboard', 2)}`);
  await importWorkbook(world, 2);
  expect(await tms.put(2)).toBe(200);
};

/** Runs in the page. Whether the row of a load has a verdict. */
const isOnBoard = (reference: string, verdict: string): boolean =>
  [...document.querySelectorAll('[aria-label=Loads] [role=row], [aria-label=Loads] tr')].some(
    (row) => row.textContent.includes(reference) && row.querySelector(`[data-verdict=${verdict}]`) !== null,
  );

/** Runs in the page. Whether a load's page has a verdict and a state. */
const isOnPage = (reference: string, verdict: string, state: string): boolean => {
  const main = document.querySelector('main');
  const isOf = main?.querySelector('h1')?.textContent === `Load ${reference}`;
  return (
    isOf && main!.querySelector(`[data-verdict=${verdict}]`) !== null && main!.textContent.includes(state)
  );
};

const seeVerdict = async (world: World, verdict: string, state: string): Promise<void> => {
  const { browser, application } = world;
  await browser.open(`${application.url}${FLEET}/loads?span=all`);
  for (const way of WAYS) await browser.waitFor(`${way} ${verdict}`, isOnBoard, referenceOf(way), verdict);
  for (const [way, { id }] of await readBoard(world)) {
    await browser.open(`${application.url}${FLEET}/loads/${id}`);
    await browser.waitFor(`page of ${way}: ${verdict}`, isOnPage, referenceOf(way), verdict, state);
  }
};

/** Sees an alert about each load on the page of alerts, and none with the other text. */
const seeAlerts = async ({ browser, application }: World, is: string, isNot: string): Promise<void> => {
  await browser.open(`${application.url}${FLEET}/alerts`);
  for (const way of WAYS) {
    await browser.see('main li', `Load ${referenceOf(way)} ${is}`);
    const text = await browser.evaluate(() => document.querySelector('main')!.textContent);
    expect(text).not.toContain(`Load ${referenceOf(way)} ${isNot}`);
  }
};

const addRule = async ({ application: { url, cookie } }: World): Promise<void> => {
  const rule = {
    ...{
      name: 'Will be late',
      condition: { kind: 'loadWillBeLate' },
      units: { type: 'all' },
      schedule: null,
    },
    ...{ severity: 'critical', coolDownMin: 0, isEnabled: true, isOwn: false },
  };
  expect((await sendAsPage(url, `/api${FLEET}/alert-rules`, rule, cookie)).ok).toBe(true);
};

for (const name of BROWSERS)
  test(`${name} shows the verdict of three loads at each moment, until they are delivered`, async ({}, testInfo) => {
    const trucks = prepareTrucks(WAYS.length, testInfo);
    const application = await startApplication(trucks.variables, testInfo.outputPath('application.log'));
    const browser = await openOtherBrowser(name);
    const world: World = { application, browser, startMs: trucks.startMs };
    const report = (min: number) => trucks.report(min, application.url, application.cookie);
    try {
      await trucks.add(application.databaseUrl);
      await report(0);
      await signIn(world);
      await addRule(world);
      await makeByKeyboard(world);
      await importWorkbook(world, 1);
      const tms = await createTms(world);
      expect([await tms.put(1), await tms.put(1)]).toEqual([201, 200]);
      const found = new Map(WAYS.map((way) => [way, [] as string[]]));
      for (let min = STEP_MIN; min <= LAST_MIN; min += STEP_MIN) {
        await trucks.setClock(min);
        if (min === SWAP_STEP_MIN) await swapTrucks(world, tms);
        await report(min);
        // A load that has another truck is unknown until a poll has judged it so.
        if (min === SWAP_STEP_MIN)
          await expect
            .poll(async () => [...(await readBoard(world)).values()].map(({ verdict }) => verdict), {
              timeout: 30_000,
            })
            .not.toContain('unknown');
        const moment = MOMENTS.find(([at]) => at === min);
        if (moment) await seeVerdict(world, moment[1], moment[2]);
        if (min === OPENED_MIN) await seeAlerts(world, 'will be late at', 'was to be late');
        if (min === CLOSED_MIN) await seeAlerts(world, 'was to be late at', 'will be late');
        for (const [way, { state, verdict }] of await readBoard(world)) {
          const all = found.get(way)!;
          if (all.at(-1) !== `${state} ${verdict}`) all.push(`${state} ${verdict}`);
        }
      }
      for (const way of WAYS) expect(found.get(way), way).toEqual(VERDICTS);
      expect(await tms.get()).toMatchObject({ state: 'delivered', truck: { number: truckOf('program', 2) } });
      expect(await browser.readErrors()).toEqual([]);
    } finally {
      await browser.close();
      await application.stop();
    }
  });
