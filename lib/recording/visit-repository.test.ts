import { expect, it } from 'vitest';
import type { SiteVisit } from '@/lib/rules/site';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import { readSitesAt, readWatchedVisits } from './visit-repository';

const USDOT = '9000001';
const START = 1_782_000_000_000;
const held = setUpRecording();

const addSite = async (usdot = USDOT): Promise<number> => {
  const { rows } = await held.pool.query<{ id: number }>(
    `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     VALUES ($1, 'Yard', 'yard', '#123456', 75, '{}', 'test', now(), now()) RETURNING id`,
    [usdot],
  );
  return rows[0]!.id;
};

const visitOf = (siteId: number, ended: Partial<SiteVisit> = {}): SiteVisit => ({
  siteId,
  unit: 'TRUCK',
  arrivedAfterMs: START - 60_000,
  arrivedMs: START,
  leftMs: null,
  leftByMs: null,
  ...ended,
});

it('a visit is written with its poll, ends once, and stays ended when its arrival is repeated', async () => {
  const siteId = await addSite();
  await held.write({ usdot: USDOT, seenMs: START, visits: [visitOf(siteId)] });
  expect(await readWatchedVisits(held.pool, USDOT, START)).toEqual([{ ...visitOf(siteId), fixes: [] }]);
  const end = { leftMs: START + 600_000, leftByMs: START + 660_000 };
  await held.write({ usdot: USDOT, seenMs: START + 700_000, visits: [visitOf(siteId, end)] });
  await held.write({ usdot: USDOT, seenMs: START + 700_001, visits: [visitOf(siteId)] });
  expect(await readWatchedVisits(held.pool, USDOT, end.leftMs)).toEqual([]);
  expect(await readWatchedVisits(held.pool, USDOT, end.leftMs - 1)).toHaveLength(1);
  expect(await held.database.query('SELECT left_ms::float8 AS at FROM linehaul.site_visits')).toEqual([
    { at: end.leftMs },
  ]);
  expect(await readSitesAt(held.pool, USDOT, START + 300_000)).toEqual(new Map([['TRUCK', siteId]]));
  expect(await readSitesAt(held.pool, USDOT, START + 600_001)).toEqual(new Map());
});

it('a unit that is at a site already has one visit there, whichever server finds that it came', async () => {
  const siteId = await addSite();
  const later = { arrivedMs: START + 300_000, arrivedAfterMs: null };
  const readVisits = () =>
    held.database.query(
      `SELECT ((arrived_ms - ${START}) / 1000)::int AS arrived, ((left_ms - ${START}) / 1000)::int AS "left"
       FROM linehaul.site_visits ORDER BY arrived_ms`,
    );
  await held.write({ usdot: USDOT, seenMs: START, visits: [visitOf(siteId)] });
  await held.write({ usdot: USDOT, seenMs: START + 1, visits: [visitOf(siteId, later)] });
  expect(await readVisits()).toEqual([{ arrived: 0, left: null }]);
  // It leaves as the one who found that it came later knows it, and comes again with the same poll.
  const left = { ...later, leftMs: START + 600_000, leftByMs: START + 660_000 };
  const again = { arrivedMs: START + 700_000, arrivedAfterMs: START + 660_000 };
  await held.write({
    ...{ usdot: USDOT, seenMs: START + 2 },
    visits: [visitOf(siteId, left), visitOf(siteId, again)],
  });
  expect(await readVisits()).toEqual([
    { arrived: 0, left: 600 },
    { arrived: 700, left: null },
  ]);
  // As where the answer to a commit is lost.
  await held.write({
    ...{ usdot: USDOT, seenMs: START + 2 },
    visits: [visitOf(siteId, left), visitOf(siteId, again)],
  });
  expect(await readVisits()).toEqual([
    { arrived: 0, left: 600 },
    { arrived: 700, left: null },
  ]);
});

it('an arrival that a server of the version before writes beside an open visit is that visit', async () => {
  const siteId = await addSite();
  await held.write({ usdot: USDOT, seenMs: START, visits: [visitOf(siteId)] });
  await held.pool.query(
    `INSERT INTO linehaul.site_visits AS site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms)
     VALUES ($1, $2, 'TRUCK', $3, NULL, NULL, NULL), ($1, $2, 'OTHER', $3, NULL, NULL, NULL)
     ON CONFLICT (usdot, site_id, unit, arrived_ms) DO UPDATE SET left_ms = coalesce(EXCLUDED.left_ms, site_visits.left_ms)`,
    [USDOT, siteId, START + 300_000],
  );
  expect(
    await held.database.query('SELECT unit, arrived_ms::float8 AS at FROM linehaul.site_visits ORDER BY 1'),
  ).toEqual([
    { unit: 'OTHER', at: START + 300_000 },
    { unit: 'TRUCK', at: START },
  ]);
});

it('an open visit goes on under another key of its unit', async () => {
  const siteId = await addSite();
  await held.write({ usdot: USDOT, seenMs: START, visits: [visitOf(siteId)] });
  const left = { leftMs: START + 600_000, leftByMs: START + 660_000 };
  const visit = { ...visitOf(siteId, left), unit: 'VIN' };
  await held.write({ usdot: USDOT, seenMs: START + 700_000, renamed: [['TRUCK', 'VIN']], visits: [visit] });
  expect(await held.database.query('SELECT unit, left_ms::float8 AS at FROM linehaul.site_visits')).toEqual([
    { unit: 'VIN', at: left.leftMs },
  ]);
});

it('a visit to a removed site, or to one of another fleet, is not written and costs nothing else of the poll', async () => {
  const other = await addSite('7654321');
  const changes = changesOf(START, [{ unit: 'TRUCK', fixMs: START - 1000 }]);
  await held.write({ usdot: USDOT, seenMs: START, changes, visits: [visitOf(other), visitOf(other + 1)] });
  expect(await held.database.query('SELECT unit FROM linehaul.site_visits')).toEqual([]);
  expect(await held.database.query('SELECT unit FROM linehaul.fixes')).toEqual([{ unit: 'TRUCK' }]);
});

it('the past names the site that a unit was at', async () => {
  const siteId = await addSite();
  const identity = JSON.stringify({ key: 'TRUCK', vin: null });
  await held.pool.query(
    'INSERT INTO linehaul.unit_identities (usdot, unit, seen_ms, identity) VALUES ($1, $2, $3, $4)',
    [USDOT, 'TRUCK', START - 1000, identity],
  );
  await held.write({ usdot: USDOT, seenMs: START, visits: [visitOf(siteId)] });
  await held.pool.query(
    `INSERT INTO linehaul.states (seen_ms, lat_e5, lng_e5, fix_s, since_s, dated_after_s, coarse_m, flags, speed_kph,
       heading_deg, status, reason, usdot, unit)
     VALUES ($1, 1, 2, 3, 4, 5, 0, 0, 0, 0, 1, 1, $2, 'TRUCK')`,
    [START, USDOT],
  );
  const fleet = await held.reader.readFleetAt(USDOT, START + 1000);
  expect(fleet?.columns.siteId[0]).toBe(siteId);
});
