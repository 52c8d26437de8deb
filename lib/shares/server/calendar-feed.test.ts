import { beforeAll, beforeEach, expect, it } from 'vitest';
import fc from 'fast-check';
import { systemClock } from '@/lib/base/clock';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { addLoad, endLoad, type LoadContext } from '@/lib/loads/server/loads';
import { loadInputSchema } from '@/lib/loads/schema';
import { setUpAlerts, insertSite } from '@/testing/alerts/alerts';
import { SECRET } from '@/testing/alerts/messages';
import { toClient } from '@/testing/auth/sign-in';
import type { Viewer } from '@/lib/base/viewer';
import { parseICalendar } from '@/testing/shares/parse-icalendar';
import { openPool } from '@/testing/history/recording';
import { answerCalendar } from './calendar-answer';
import { CalendarFeeds } from './calendar-feed';
import { addCalendar, changeCalendar, listCalendars, readCalendarLink, revokeCalendar } from './calendars';
import { toICalendar } from './icalendar';
import { Openings } from './openings';
import type { ShareContext } from './shares';

const USDOT = '9000001';
const UNIT = '1M8GDM9AXKP042788';
const held = setUpAlerts();
let viewer: Viewer;
beforeAll(async () => {
  viewer = await held.addUser('ann', 'manager', null);
});
let elapsedMs = 0;
let siteId: number;
let feeds: CalendarFeeds;

beforeEach(async () => {
  held.nowMs = Date.UTC(2026, 10, 24, 16, 0);
  await held.database.query(
    'truncate linehaul.loads, linehaul.sites, linehaul.site_calendars, linehaul.site_visits, linehaul.unit_identities, linehaul.unit_tags cascade',
  );
  siteId = await insertSite(held, USDOT, 'Dallas DC; dock, 4', { lat: 32.8, lng: -96.8 });
  elapsedMs += HOUR_MS;
  const pool = openPool(held.database.databaseUrl);
  feeds = new CalendarFeeds({
    open: async () => pool,
    clock: { nowMs: () => held.nowMs, monotonicMs: () => elapsedMs, setTimer: systemClock.setTimer },
  });
  return () => pool.end();
});

const context = (): ShareContext & LoadContext =>
  ({
    ...{ ...held.app, viewer, client: toClient() },
    ...{
      clock: { nowMs: () => held.nowMs },
      shares: { secret: SECRET },
      env: { publicUrl: 'https://fleet.test' },
    },
  }) as never;

const INPUT = { recipient: 'Dallas dock', language: 'en', showsTruck: true, endsMs: null } as const;

const make = async (input: Partial<Parameters<typeof addCalendar>[2]> = {}) => {
  const { id, link } = await addCalendar(context(), USDOT, { ...INPUT, siteId, ...input });
  return { id, link, token: /^https:\/\/fleet\.test\/t\/([\w-]{27})\/calendar\.ics$/.exec(link)![1]! };
};

const add = async (
  reference: string,
  appointment: { fromMs: number; toMs: number } | null,
  unit: string | null = UNIT,
) => {
  const { id } = await addLoad(
    context(),
    USDOT,
    loadInputSchema.parse({
      ...{ reference, po: 'PO 9', unit },
      stops: [
        { kind: 'delivery', siteId, place: null, appointment, address: '1 Dock St, Dallas' },
        {
          kind: 'delivery',
          siteId: null,
          place: { name: 'Amarillo', lat: 35.2, lng: -101.8 },
          appointment: null,
        },
      ],
    }),
  );
  return id;
};

const setWindow = (loadId: number, fromMs: number, toMs: number, grades = 20) =>
  held.database.query(
    `insert into linehaul.load_states (load_id, seen_ms, state, next, verdict, "window", shown)
     values ($1, $2, 'toDelivery', 0, 'onTime', $3, '[]') on conflict (load_id) do update set "window" = excluded."window"`,
    [
      loadId,
      held.nowMs,
      JSON.stringify({ fromMs, toMs, position: 0, unit: UNIT, fixAtMs: fromMs, distM: 1, grades }),
    ],
  );

const read = async (token: string) => {
  elapsedMs += 31_000;
  const shown = await feeds.read(token);
  return shown && parseICalendar(shown.text);
};

it('has each expected arrival at its site: its window, else its appointment, until the truck has left', async () => {
  const { token } = await make();
  await held.database.query(
    `insert into linehaul.unit_identities (usdot, unit, seen_ms, identity) values ($1, $2, 1, '{"truckNumber": "12"}')`,
    [USDOT, UNIT],
  );
  const appointment = { fromMs: held.nowMs + 2 * HOUR_MS, toMs: held.nowMs + 3 * HOUR_MS };
  const id = await add('4711', appointment);
  await add('without', null, null);
  const [agreed, ...others] = (await read(token))!.events;
  expect(others).toEqual([]);
  expect(agreed).toMatchObject({
    ...{ SUMMARY: 'Load 4711 · PO 9, truck 12', DTSTART: '20261124T180000Z', DTEND: '20261124T190000Z' },
    ...{ LOCATION: 'Dallas DC; dock, 4, 1 Dock St, Dallas', STATUS: 'TENTATIVE' },
    DESCRIPTION: expect.stringMatching(
      /^No estimate right now: shown is its appointment\.\nAppointment Tue, Nov 24, 12:00/,
    ),
  });
  await setWindow(id, held.nowMs + HOUR_MS, held.nowMs + HOUR_MS + 40 * MINUTE_MS);
  const [expected] = (await read(token))!.events;
  expect(expected).toMatchObject({
    UID: agreed!.UID,
    DTSTART: '20261124T170000Z',
    DTEND: '20261124T174000Z',
  });
  expect(expected!.DESCRIPTION).toMatch(
    /^Expected to arrive Tue, Nov 24, 11:00\s–\s11:40\sAM \(Central Time\)\. 8 of 10/,
  );
  await setWindow(id, held.nowMs + HOUR_MS, held.nowMs + HOUR_MS + 40 * MINUTE_MS, 11);
  expect((await read(token))!.events[0]!.DESCRIPTION).toMatch(/\(Central Time\)\.\nAppointment/);
  const visit = (leftMs: number | null) =>
    held.database.query(
      `delete from linehaul.site_visits; insert into linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms, origin)
       values ('${USDOT}', ${siteId}, '${UNIT}', ${held.nowMs + 60_000}, ${held.nowMs + 120_000}, ${leftMs}, ${leftMs}, 'live')`,
    );
  await visit(null);
  expect((await read(token))!.events).toMatchObject([
    { UID: agreed!.UID, STATUS: 'CONFIRMED', DTSTART: '20261124T160100Z' },
  ]);
  await visit(held.nowMs + 180_000);
  expect((await read(token))!.events).toEqual([]);
});

it('has no load that has ended, and no truck where none is to be named', async () => {
  const { token } = await make({ showsTruck: false, language: 'fr' });
  const id = await add('4711', { fromMs: held.nowMs, toMs: held.nowMs });
  const { events, name } = (await read(token))!;
  expect([name, events[0]!.SUMMARY, events[0]!.DTEND]).toEqual([
    'Arrivées à Dallas DC; dock, 4',
    'Chargement 4711 · PO 9',
    undefined,
  ]);
  await endLoad(context(), USDOT, id);
  expect((await read(token))!.events).toEqual([]);
});

it('shows nothing alike once it is revoked, has ended, or its maker or its site is gone, within a second', async () => {
  const server = {
    shares: { readCalendar: async (token: string) => (await feeds.read(token))?.text ?? null },
    ...{ clock: { ...systemClock }, log: { error: () => undefined } },
  };
  const ask = async (token: string) => {
    const answer = await answerCalendar(
      server as never,
      { method: 'GET', url: 'https://fleet.test/', headers: new Headers() },
      { token, address: '203.0.113.7' },
    );
    return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
  };
  const unknown = await ask('a'.repeat(27));
  expect(unknown).toMatchObject({ status: 404, text: 'Nothing is shown here.\n' });
  const revoked = await make();
  expect((await ask(revoked.token)).status).toBe(200);
  await revokeCalendar(context(), USDOT, revoked.id);
  elapsedMs += 1000;
  expect(await ask(revoked.token)).toEqual(unknown);
  await expect(revokeCalendar(context(), '9000002', revoked.id)).rejects.toMatchObject({
    code: 'unknown-share',
  });

  const timed = await make({ endsMs: held.nowMs + MINUTE_MS });
  expect((await ask(timed.token)).status).toBe(200);
  held.nowMs += MINUTE_MS;
  elapsedMs += MINUTE_MS;
  expect(await ask(timed.token)).toEqual(unknown);

  const other = await make();
  expect(await readCalendarLink(context(), USDOT, other.id)).toEqual({ link: other.link });
  await held.database.query('delete from linehaul.sites');
  elapsedMs += 1000;
  expect(await ask(other.token)).toEqual(unknown);
  expect((await listCalendars(context(), USDOT)).calendars).toEqual([]);
});

it('is changed while it is open, which a program sees within a second, and stays its maker’s', async () => {
  const { id, token } = await make();
  await add('4711', { fromMs: held.nowMs, toMs: held.nowMs });
  await read(token);
  const change = (input: Partial<Parameters<typeof changeCalendar>[3]>, by = context()) =>
    changeCalendar(by, USDOT, id, { ...INPUT, ...input });
  await expect(change({ endsMs: held.nowMs })).rejects.toMatchObject({ code: 'bad-input' });
  const ben = await held.addUser('ben', 'manager', null);
  const endsMs = held.nowMs + HOUR_MS;
  await change(
    { recipient: 'Muelle 4', language: 'es', showsTruck: false, endsMs },
    { ...context(), viewer: ben },
  );
  elapsedMs += 1000;
  expect(parseICalendar((await feeds.read(token))!.text)).toMatchObject({
    name: 'Llegadas a Dallas DC; dock, 4',
  });
  expect((await listCalendars(context(), USDOT)).calendars).toMatchObject([
    { id, siteId, recipient: 'Muelle 4', endsMs, state: 'open', endedMs: null, madeBy: viewer.email },
  ]);
  const changed = `select details from linehaul.audit_log where action = 'share.change'`;
  const language = { before: 'en', after: 'es' };
  expect(await held.database.query(changed)).toMatchObject([{ details: { usdot: USDOT, id, language } }]);
  held.nowMs = endsMs;
  await expect(change({})).rejects.toMatchObject({ code: 'share-over' });
  expect((await listCalendars(context(), USDOT)).calendars).toMatchObject([
    { state: 'ended', endedMs: endsMs },
  ]);
});

it('is counted as often as programs read it, of which none is kept', async () => {
  const { id } = await make();
  const options = { clock: { ...systemClock, nowMs: () => held.nowMs }, secret: SECRET };
  const openings = new Openings({
    ...{ open: () => held.app.database.open().then(({ pool }) => pool), ...options },
    log: { warn: () => expect.unreachable() },
  });
  for (const hour of [0, 0, 1]) {
    held.nowMs += hour * HOUR_MS;
    openings.note(id, '203.0.113.7');
  }
  await openings.flush();
  openings.note(id, '203.0.113.8');
  await openings.close();
  expect((await listCalendars(context(), USDOT)).calendars).toMatchObject([
    { opened: 4, lastOpenedMs: held.nowMs },
  ]);
  expect(await held.database.query('select 1 from linehaul.share_openings')).toEqual([]);
});

it('has loads of the trucks that its maker sees alone', async () => {
  const tim = await held.addUser('tim', 'dispatcher', [USDOT]);
  await held.database.query(`update linehaul.users set tags = '{reefer}' where id = 'tim'`);
  const { token } = await (async () => {
    const { link } = await addCalendar({ ...context(), viewer: { ...tim, tags: ['reefer'] } }, USDOT, {
      ...INPUT,
      siteId,
    });
    return { token: link.split('/').at(-2)! };
  })();
  await add('4711', { fromMs: held.nowMs, toMs: held.nowMs + HOUR_MS });
  expect((await read(token))!.events).toEqual([]);
  await held.database.query(`insert into linehaul.unit_tags (usdot, tag, unit) values ($1, 'reefer', $2)`, [
    USDOT,
    UNIT,
  ]);
  expect((await read(token))!.events).toHaveLength(1);
  await held.database.query(`update linehaul.users set disabled_at = now() where id = 'tim'`);
  expect(await read(token)).toBeNull();
  expect((await listCalendars(context(), USDOT)).calendars).toMatchObject([{ state: 'revoked' }]);
});

it('writes any text so that a parser reads it again, in lines of at most 75 octets', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ maxLength: 100 }),
      (title, text) => {
        const event = {
          uid: 'a@b',
          changedMs: 0,
          fromMs: 0,
          toMs: 60_000,
          title,
          text,
          place: title,
          isSure: false,
        };
        const file = toICalendar(title, [event, event]);
        for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(file).not.toMatch(/\uFFFD/);
        const clean = (of: string) =>
          of.replaceAll(/\r\n?|\u2028|\u2029/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
        const { events, name } = parseICalendar(file);
        expect(name).toBe(clean(title));
        expect(events.map(({ SUMMARY, DESCRIPTION }) => [SUMMARY, DESCRIPTION])).toEqual(
          Array(2).fill([clean(title), clean(text)]),
        );
      },
    ),
  );
});
