import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, it } from 'vitest';
import { AppError } from '@/lib/base/http/problems';
import { METERS_PER_MILE } from '@/lib/geo/units';
import type { QualityLine } from '@/lib/data-quality/quality';
import type { QualityQuery } from '@/lib/data-quality/server/data-quality';
import { addQuality, createSum, toQualityRow } from '@/lib/data-quality/sums';
import { noQuality } from '@/lib/reports/quality/unit-quality';
import type { ReportLine } from '@/lib/reports/reports';
import { setUpRecording } from '@/testing/history/recording';
import type { ScheduledMail } from './mail-schedule';
import { makeReportMail, toReportDays } from './report-mails';

const USDOT = '9000001';
const ZONE = 'America/Chicago';
/** A Monday at 6:00 in Chicago, a week after the clocks were set back. */
const DUE_MS = Date.parse('2026-11-09T12:00:00Z');
const held = setUpRecording();

const SCHEDULED: ScheduledMail = {
  ...{ userId: 'me', usdot: USDOT, kind: 'miles', email: 'me@carrier.test', usdots: null, sentMs: null },
  ...{ atMin: 360, timeZone: ZONE, weekdays: [1], hours: 168, unit: null, tag: null, isEnding: false },
};

const LINE: ReportLine = {
  ...{ share: 1, day: '2026-11-08' },
  units: [
    {
      ...{ key: 'VIN1', name: '116', firstMs: null, lastMs: null, stops: 0 },
      ...{ movingMs: 0, stoppedMs: 0, silentMs: 0, notRecordedMs: 0 },
      ...{ drivenM: 120 * METERS_PER_MILE, bridgedM: 0 },
      states: [
        { state: 'TX', drivenM: 100 * METERS_PER_MILE, bridgedM: 0 },
        { state: 'OK', drivenM: 20 * METERS_PER_MILE, bridgedM: 0 },
      ],
    },
  ],
};

const SITE = `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, notes, made_by, created_at, updated_at)
  VALUES ($1, 'Yard Waco', 'yard', '#2f7de1', 75, '{}', '', 'ann', now(), now()) RETURNING id`;

/** As of a provider, and of a truck. */
const readQuality = async function* (_usdot: string, { by }: QualityQuery): AsyncGenerator<QualityLine> {
  const sum = createSum();
  addQuality(sum, { ...noQuality('VIN1'), fixes: 3, delays: [20, 2, 40, 1], judged: 3 });
  const name = by === 'provider' ? 'api.example.com' : '116';
  yield { share: 1, rows: [toQualityRow({ key: name, name, period: '2026-11-02' }, sum)] };
};

const make = (changes: Partial<ScheduledMail> = {}, lines: () => ReportLine[] = () => [LINE]) => {
  const ranges: unknown[] = [];
  const read = async function* (_usdot: string, range: unknown) {
    ranges.push(range);
    yield* lines();
  };
  const history = { reader: held.reader, reports: { read }, quality: { read: readQuality } } as never;
  const orm = drizzle({ client: held.pool });
  const context = {
    database: { orm, pool: held.pool },
    history,
    publicUrl: 'https://fleet.test',
    nowMs: DUE_MS,
  };
  return makeReportMail(context, { ...SCHEDULED, ...changes }, DUE_MS).then((mail) => ({ mail, ranges }));
};

it('is about whole days of the recipient before the day on which it is due', async () => {
  const { mail, ranges } = await make();
  expect(ranges).toEqual([
    {
      fromMs: Date.parse('2026-11-02T06:00:00Z'),
      toMs: Date.parse('2026-11-09T06:00:00Z'),
      ...{ zone: ZONE, chosen: null },
    },
  ]);
  expect(mail.subject).toBe('Miles by state, 2026-11-02 to 2026-11-08 (USDOT 9000001)');
  expect(mail.text).toContain('1 truck, miles at least:\nTX 100 mi\nOK 20 mi');
  expect(mail.text).toContain(
    'https://fleet.test/fleets/9000001/history?question=miles&from=2026-11-02&to=2026-11-08\n',
  );
  expect(mail.csv).toEqual({
    fileName: 'miles-9000001-2026-11-02-2026-11-08.csv',
    text: expect.stringContaining('116,VIN1,TX,100.0,0.0'),
  });
  // Over the change of the clocks.
  expect(toReportDays({ hours: 24, timeZone: ZONE }, Date.parse('2026-11-02T12:00:00Z'))).toEqual({
    from: '2026-11-01',
    to: '2026-11-01',
  });
});

it('has the trucks with a tag alone, and the visits to sites as a table', async () => {
  await held.pool.query(`INSERT INTO linehaul.unit_tags VALUES ($1, 'flatbeds', 'VIN1')`, [USDOT]);
  await held.pool.query(SITE, [USDOT]);
  await held.pool.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, left_ms)
     SELECT $1, max(id), unit, $2, $3 FROM linehaul.sites, unnest('{VIN1,VIN2}'::text[]) unit GROUP BY unit`,
    [USDOT, DUE_MS - 48 * 3_600_000, DUE_MS - 46 * 3_600_000],
  );
  const { mail } = await make({ kind: 'visits', tag: 'flatbeds' });
  expect(mail.text).toContain('Site visits of USDOT 9000001, tag flatbeds');
  expect(mail.text).toContain('1 visit to 1 site, also those that began before or go on after these days');
  expect(mail.text).toContain('1 visit with an arrival or a departure that no fix shows: its stay is');
  expect(mail.csv!.text.split('\r\n').slice(1)).toEqual([
    'VIN1,VIN1,Yard Waco,,2026-11-07 06:00:00,2026-11-07 08:00:00,,,,no',
    '',
  ]);
  // A trailer that was there all week, and still is.
  await held.pool.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms)
     SELECT $1, max(id), 'VIN1', $2 FROM linehaul.sites`,
    [USDOT, DUE_MS - 30 * 24 * 3_600_000],
  );
  const { mail: longer } = await make({ kind: 'visits', hours: 24 });
  expect(longer.csv!.text.split('\r\n').slice(1)).toEqual([
    'VIN1,VIN1,Yard Waco,,2026-10-10 07:00:00,,,,,no',
    '',
  ]);
  const { ranges } = await make({ tag: 'flatbeds' });
  expect(ranges).toMatchObject([{ chosen: new Set(['VIN1']) }]);
});

it('says why where its range has too many fixes', async () => {
  const { mail } = await make({}, () => {
    throw new AppError('range-too-long', { detail: 'Choose a shorter range.' });
  });
  expect(mail.text).toContain('Choose a shorter range.');
  expect(mail.csv).toBeUndefined();
});

it('says that there are more visits than its table has', async () => {
  await held.pool.query(SITE, [USDOT]);
  await held.pool.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, left_ms)
     SELECT $1, (SELECT max(id) FROM linehaul.sites), 'VIN1', at, at FROM generate_series($2::int8, $2 + 50000) at`,
    [USDOT, DUE_MS - 48 * 3_600_000],
  );
  const { mail } = await make({ kind: 'visits' });
  expect(mail.text).toContain('50,000 visits to 1 site');
  expect(mail.text).toContain('there are more');
});

it('has the facilities of the fleet as a table', async () => {
  const { rows } = await held.pool.query<{ id: number }>(SITE, [USDOT]);
  const atMs = DUE_MS - 30 * 3_600_000;
  await held.pool.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms, left_ms, left_by_ms)
     VALUES ($1, $2, 'VIN1', $3, $4, $5, $6)`,
    [USDOT, rows[0]!.id, ...[-1, 0, 90, 91].map((minutes) => atMs + minutes * 60_000)],
  );
  const { mail } = await make({ kind: 'facilities' });
  expect(mail.subject).toContain('Facilities, 2026-11-02 to 2026-11-08');
  expect(mail.text).toContain('1 visit to 1 site\nStay: 1 h 30 m in the middle of 1 stay');
  expect(mail.csv?.fileName).toBe('facilities-9000001-2026-11-02-2026-11-08.csv');
  expect(mail.csv?.text).toContain('2026-11-02,1,0,1,90,90,0');
});

it('has the data quality of the provider as lines, and of each truck as a table', async () => {
  const { mail } = await make({ kind: 'quality' });
  expect(mail.text).toContain(
    'api.example.com: 1 truck, 3 fixes\nFix to sight, half within: 20 s (of 3 fixes)',
  );
  expect(mail.csv?.fileName).toBe('data-quality-9000001-2026-11-02-2026-11-08.csv');
  expect(mail.csv?.text).toContain('\r\n116,116,2026-11-02,1,3,');
});
