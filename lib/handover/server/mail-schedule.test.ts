import { expect, it } from 'vitest';
import { setUpAlerts } from '@/testing/alerts/alerts';
import { scheduledMailSchema, type ScheduledMailInput } from '../schema';
import {
  listMailItems,
  listScheduledMails,
  readMailSchedule,
  removeMailItem,
  toDueMs,
  writeMailSchedule,
} from './mail-schedule';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const ALL = [1, 2, 3, 4, 5, 6, 7];
const MAIL: ScheduledMailInput = {
  ...{ atMin: 360, timeZone: 'America/Chicago', weekdays: [1, 2, 3, 4, 5], hours: 24 },
  ...{ unit: null, tag: null },
};

/** When a server that looks every minute sends, as UTC; one that is down in `down` does not look then. */
const listSent = (
  mail: Omit<ScheduledMailInput, 'hours' | 'unit' | 'tag'>,
  [from, to]: [string, string],
  down: [string, string] = ['', ''],
): string[] => {
  const sent: string[] = [];
  let sentMs = Date.parse(from);
  const [downMs, upMs] = down.map((text) => Date.parse(text)) as [number, number];
  for (let nowMs = Date.parse(from); nowMs < Date.parse(to); nowMs += MINUTE_MS) {
    const dueMs = nowMs >= downMs && nowMs < upMs ? null : toDueMs({ ...mail, sentMs }, nowMs);
    if (dueMs === null) continue;
    sent.push(new Date(nowMs).toISOString().slice(0, 16));
    sentMs = dueMs;
  }
  return sent;
};

it('is due once on each of its days, at its time by the clocks of its zone', () => {
  const week: [string, string] = ['2026-11-20T00:00Z', '2026-11-25T00:00Z'];
  expect(listSent(MAIL, week)).toEqual(['2026-11-20T12:00', '2026-11-23T12:00', '2026-11-24T12:00']);
  expect(listSent({ ...MAIL, weekdays: [7], atMin: 0, timeZone: 'Asia/Tokyo' }, week)).toEqual([
    '2026-11-21T15:00',
  ]);
});

it('is due once on a day when the clocks change, also at an hour that they skip or show twice', () => {
  const spring: [string, string] = ['2026-03-07T00:00Z', '2026-03-09T20:00Z'];
  const fall: [string, string] = ['2026-10-31T00:00Z', '2026-11-02T20:00Z'];
  const daily = { ...MAIL, weekdays: ALL };
  expect(listSent(daily, spring)).toEqual(['2026-03-07T12:00', '2026-03-08T11:00', '2026-03-09T11:00']);
  const skipped = { ...daily, atMin: 150 };
  expect(listSent(skipped, spring)).toEqual(['2026-03-07T08:30', '2026-03-08T08:30', '2026-03-09T07:30']);
  const twice = { ...daily, atMin: 90 };
  expect(listSent(twice, fall)).toEqual(['2026-10-31T06:30', '2026-11-01T06:30', '2026-11-02T07:30']);
});

it('after a downtime of less than a day is sent once and late, also on the next day', () => {
  const days: [string, string] = ['2026-11-27T00:00Z', '2026-12-01T00:00Z'];
  expect(listSent(MAIL, days, ['2026-11-27T11:00Z', '2026-11-27T21:17Z'])).toEqual([
    '2026-11-27T21:17',
    '2026-11-30T12:00',
  ]);
  // Until a Saturday.
  expect(listSent(MAIL, days, ['2026-11-27T11:00Z', '2026-11-28T11:59Z'])).toEqual([
    '2026-11-28T11:59',
    '2026-11-30T12:00',
  ]);
  expect(listSent(MAIL, days, ['2026-11-27T11:00Z', '2026-11-28T12:00Z'])).toEqual(['2026-11-30T12:00']);
  // A server that looks each 90 s may look after midnight alone.
  const late = { ...MAIL, atMin: 1439, timeZone: 'UTC', weekdays: ALL, sentMs: 0 };
  expect(toDueMs(late, Date.parse('2026-11-28T00:00:10Z'))).toBe(Date.parse('2026-11-27T23:59Z'));
});

const held = setUpAlerts();
const USDOT = '9000001';

it('a schedule is the own one of a user and a fleet, counts from its next time on, and is in the audit log', async () => {
  const dan = await held.addUser('dan', 'dispatcher', [USDOT]);
  const eve = await held.addUser('eve', 'dispatcher', null);
  const read = (viewer: typeof dan, canMail = true) =>
    readMailSchedule({ database: held.app.database, messages: { canMail }, viewer }, USDOT, 'handover');
  await writeMailSchedule(held.by(dan), USDOT, 'handover', MAIL);
  // 10:00 in Chicago, after the mail of this day.
  expect(await listScheduledMails((await held.app.database.open()).orm)).toEqual([
    {
      ...MAIL,
      kind: 'handover',
      userId: 'dan',
      usdot: USDOT,
      email: 'dan@carrier.test',
      usdots: [USDOT],
      sentMs: held.nowMs,
      isEnding: false,
    },
  ]);
  held.nowMs += HOUR_MS;
  await writeMailSchedule(held.by(dan), USDOT, 'handover', { ...MAIL, weekdays: [1, 3], hours: 12 });
  expect(await read(dan)).toEqual({
    mail: { ...MAIL, weekdays: [1, 3], hours: 12 },
    email: 'dan@carrier.test',
  });
  expect(await read(dan, false)).toMatchObject({ email: null });
  expect(await read(eve)).toEqual({ mail: null, email: 'eve@carrier.test' });
  await writeMailSchedule(held.by(dan), USDOT, 'handover', null);
  expect((await read(dan)).mail).toBeNull();
  const schedules = [
    'Mon-Fri 06:00 America/Chicago, of 24 h',
    'Mon,Wed 06:00 America/Chicago, of 12 h',
    null,
  ];
  expect(await held.readAudit()).toEqual(
    schedules.map((schedule) => [
      'dan@carrier.test',
      'handover-mail.change',
      { usdot: USDOT, kind: 'handover', schedule },
    ]),
  );
});

it('a schedule that cannot be in the audit log is not stored, and the demo has none', async () => {
  const fay = await held.addUser('fay', 'dispatcher', null);
  await held.database.query('alter table linehaul.audit_log rename to hidden');
  await expect(writeMailSchedule(held.by(fay), USDOT, 'handover', MAIL)).rejects.toThrow();
  await held.database.query('alter table linehaul.hidden rename to audit_log');
  const { orm } = await held.app.database.open();
  expect(await listScheduledMails(orm, { userId: 'fay', usdot: USDOT, kind: 'handover' })).toEqual([]);
  const demo = { ...fay, kind: 'demo' as const, id: null };
  await expect(writeMailSchedule(held.by(demo), USDOT, 'handover', MAIL)).rejects.toMatchObject({
    code: 'demo-has-no-users',
  });
});

it('refuses no weekday, a time zone that does not exist and more days than a report has', () => {
  const wrong = [{ weekdays: [1, 1] }, { tag: 'a,b' }, { unit: 'a\nb' }];
  for (const change of [
    ...wrong,
    { weekdays: [] },
    { timeZone: 'America/Nowhere' },
    { hours: 745 },
    { atMin: 1440 },
  ])
    expect(scheduledMailSchema.safeParse({ ...MAIL, ...change }).success).toBe(false);
});

it('a handover and each report have a schedule of their own, the report with its trucks', async () => {
  const gil = await held.addUser('gil', 'dispatcher', null);
  const weekly = { ...MAIL, weekdays: [1], hours: 168, tag: 'flatbeds' };
  const write = () => writeMailSchedule(held.by(gil), USDOT, 'miles', weekly);
  await expect(write()).rejects.toMatchObject({
    detail: 'No truck has the tag flatbeds. Give it to a truck first, or choose another tag.',
    faults: [{ field: 'tag' }],
  });
  const tags = `linehaul.unit_tags where usdot = '${USDOT}'`;
  await held.database.query(
    `insert into linehaul.unit_tags (usdot, tag, unit) values ('${USDOT}', 'flatbeds', 'A')`,
  );
  await write();
  // A mail goes on whose tag no truck has for a while.
  await held.database.query(`delete from ${tags}`);
  await write();
  for (const [kind, mail, field] of [
    ['handover', weekly, 'hours'],
    ['handover', { ...MAIL, unit: 'VIN1' }, 'unit'],
    ['miles', { ...weekly, unit: 'VIN1' }, 'tag'],
  ] as const)
    await expect(writeMailSchedule(held.by(gil), USDOT, kind, mail)).rejects.toMatchObject({
      code: 'bad-input',
      faults: [{ field }],
    });
  await writeMailSchedule(held.by(gil), USDOT, 'handover', MAIL);
  const { orm } = await held.app.database.open();
  const [mail] = await listScheduledMails(orm, { userId: 'gil', usdot: USDOT, kind: 'miles' });
  expect(mail).toMatchObject({ ...weekly, kind: 'miles' });
  const items = (await listMailItems(orm)).filter(({ madeById }) => madeById === 'gil');
  expect(items.map(({ name }) => name).toSorted()).toEqual([
    'Handover Mon-Fri 06:00 America/Chicago, of 24 h',
    'Miles by state Mon 06:00 America/Chicago, of 168 h, tag flatbeds',
  ]);
  expect(await removeMailItem(orm, 'gil 9000001 miles')).toBe(true);
  expect((await listMailItems(orm)).filter(({ madeById }) => madeById === 'gil')).toHaveLength(1);
});
