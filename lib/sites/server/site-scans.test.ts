import { drizzle } from 'drizzle-orm/node-postgres';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Job } from '@/lib/jobs/jobs';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import { IS_LONG } from '@/testing/long';
import { siteOf } from '@/testing/sites/watched-units';
import { RecordedVisits } from '@/lib/rules/recorded-visits';
import type { Site, SiteVisit } from '@/lib/rules/site';
import { findVisits } from './find-visits';
import { updateSite, upsertSites } from './site-repository';
import { createSiteScans, readScan, startScans } from './site-scans';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const USDOT = '1234567';
/** Noon, UTC. */
const NOW = 20_700 * DAY_MS + 12 * HOUR_MS;
/** When the recording began: a device that held fixes back for days sent them after that. */
const SINCE = NOW - 2 * DAY_MS;
const DEGREES_PER_KM = 1 / 111.19508;

const held = setUpRecording();
const long = it.runIf(IS_LONG);
let nowMs = NOW;

/** A fix so many km north of the site, at a time. */
const fixAt = (unit: string, fixMs: number, northKm: number): RecordedFix => ({
  ...{ unit, fixMs, lng: -101 },
  lat: 35 + northKm * DEGREES_PER_KM,
});

/** A unit that comes from the north, stands at the site from one time to another, and goes on. */
const visitOf = (
  unit: string,
  arrivedMs: number,
  leftMs: number,
  everyMs = 10 * MINUTE_MS,
): RecordedFix[] => {
  const fixes: RecordedFix[] = [
    fixAt(unit, arrivedMs - 2 * everyMs, 20),
    fixAt(unit, arrivedMs - everyMs, 9),
  ];
  for (let ms = arrivedMs; ms <= leftMs; ms += everyMs) fixes.push(fixAt(unit, ms, 0));
  return leftMs >= NOW
    ? fixes
    : [...fixes, fixAt(unit, leftMs + everyMs, 12), fixAt(unit, leftMs + 2 * everyMs, 25)];
};

/** Records fixes as the polls of each day do. */
const record = async (fixes: readonly RecordedFix[]): Promise<void> => {
  const days = new Map<number, RecordedFix[]>();
  for (const fix of fixes) {
    const day = Math.floor(fix.fixMs / DAY_MS);
    days.set(day, [...(days.get(day) ?? []), fix]);
  }
  for (const [day, each] of days) {
    const seenMs = Math.min(nowMs, (day + 1) * DAY_MS - 1);
    await held.write({
      usdot: USDOT,
      seenMs,
      changes: changesOf(seenMs, each),
      coverage: [{ fromMs: SINCE, toMs: seenMs, state: 'answered', problem: null }],
    });
  }
};

const orm = () => drizzle({ client: held.pool });

const addSite = async (): Promise<Site> => {
  const { id: _, ...input } = siteOf(0, 0);
  const [site] = await upsertSites(orm(), USDOT, [input], { madeBy: 'a', nowMs });
  await startScans(orm(), USDOT, [site!.id], nowMs);
  return site!;
};

/** Runs the job until it has nothing to do; the fleets of which it learned something. */
const scan = async (signal = new AbortController().signal): Promise<string[]> => {
  const learned: string[] = [];
  const scans = createSiteScans({
    database: () => ({ pool: held.pool, orm: orm() }),
    reader: () => held.reader,
    clock: { nowMs: () => nowMs },
    onLearned: (usdot) => void learned.push(usdot),
  });
  const job = { id: 'scan', data: {} } as Job;
  while ((await scans.kinds[0]!.run(job, signal)) === 0);
  return learned;
};

const readVisits = async () =>
  (
    await held.database.query(
      `SELECT unit, origin, arrived_after_ms::float8 AS after, arrived_ms::float8 AS arrived, left_ms::float8 AS left,
         left_by_ms::float8 AS by FROM linehaul.site_visits ORDER BY unit, arrived_ms`,
    )
  ).map(({ unit, origin, ...times }) => [unit, origin, ...Object.values(times)]);

/** A visit as polls judge it that show the unit at the site for the first time. */
const judged = (siteId: number, arrivedMs: number, leftMs: number | null = null): SiteVisit => ({
  ...{ siteId, unit: 'PARKED', arrivedAfterMs: null, arrivedMs, leftMs },
  leftByMs: leftMs && leftMs + MINUTE_MS,
});

const ARRIVED = NOW - 17 * HOUR_MS;
const PARKED = visitOf('PARKED', ARRIVED, NOW);
const OPEN = [ARRIVED - 10 * MINUTE_MS, ARRIVED, null, null];
const [CAME, WENT] = [NOW - 5 * DAY_MS, NOW - 5 * DAY_MS + 40 * MINUTE_MS];
const VISITOR = visitOf('VISITOR', CAME, WENT);
const VISITED = ['VISITOR', 'recording', CAME - 10 * MINUTE_MS, CAME, WENT, WENT + 10 * MINUTE_MS];

describe('a new site', () => {
  it('has the visits of the recording, also of archived days, and who stands there since when', async () => {
    nowMs = NOW;
    await record([...VISITOR, ...PARKED, fixAt('FAR', NOW - HOUR_MS, 400), fixAt('FAR', NOW, 410)]);
    await held.archive(NOW);
    const { id } = await addSite();
    expect(await readScan(orm(), id)).toEqual({ watchedFromMs: NOW, share: 0 });
    await scan();
    expect(await readScan(orm(), id)).toEqual({ watchedFromMs: NOW, share: 1 });
    expect(await readVisits()).toEqual([['PARKED', 'recording', ...OPEN], VISITED]);
  });

  it.each(IS_LONG ? ['before', 'after'] : ['after'])(
    'has a truck once that polls show there %s the search',
    async (when) => {
      nowMs = NOW;
      await record(PARKED);
      const { id } = await addSite();
      const polled = NOW - 10 * MINUTE_MS;
      const poll = () => held.write({ usdot: USDOT, seenMs: NOW, visits: [judged(id, polled)] });
      if (when === 'before') await poll();
      await scan();
      if (when === 'after') await poll();
      expect(await readVisits()).toEqual([['PARKED', 'joined', ...OPEN]]);
      // The feed knows nothing of the search.
      const leftMs = NOW + HOUR_MS;
      await held.write({ usdot: USDOT, seenMs: leftMs, visits: [judged(id, polled, leftMs)] });
      const ended = ['PARKED', 'joined', ARRIVED - 10 * MINUTE_MS, ARRIVED, leftMs, leftMs + MINUTE_MS];
      expect(await readVisits()).toEqual([ended]);
    },
  );

  it('begins again after a server that ended, and when it is moved, and has no visit twice', async () => {
    nowMs = NOW;
    await record([...VISITOR, ...PARKED]);
    const site = await addSite();
    await expect(scan(AbortSignal.abort())).rejects.toThrow('aborted');
    await scan();
    await startScans(orm(), USDOT, [site.id], NOW);
    await scan();
    expect(await readVisits()).toEqual([['PARKED', 'recording', ...OPEN], VISITED]);
    // To where both came by.
    await updateSite(orm(), USDOT, { ...siteOf(site.id, 9000) }, NOW);
    await startScans(orm(), USDOT, [site.id], NOW);
    await scan();
    expect((await readVisits()).map(([unit]) => unit)).toEqual(['PARKED', 'VISITOR']);
    expect((await readVisits())[1]![3]).toBe(CAME - 10 * MINUTE_MS);
  });

  long('does not keep a truck that left before polls had judged it', async () => {
    nowMs = NOW;
    await record(PARKED);
    await addSite();
    await scan();
    nowMs = NOW + 11 * MINUTE_MS;
    await record([fixAt('PARKED', NOW + 2 * MINUTE_MS, 3), fixAt('PARKED', NOW + 4 * MINUTE_MS, 6)]);
    await scan();
    expect(await readVisits()).toEqual([
      ['PARKED', 'recording', ...OPEN.slice(0, 2), NOW, NOW + 2 * MINUTE_MS],
    ]);
  });

  long('has a truck that is silent in it once polls say so', async () => {
    nowMs = NOW;
    const heardMs = NOW - 5 * HOUR_MS;
    await record(PARKED.filter(({ fixMs }) => fixMs <= heardMs));
    const { id } = await addSite();
    await scan();
    expect(await readVisits()).toEqual([['PARKED', 'recording', ...OPEN.slice(0, 2), heardMs, null]]);
    await held.write({ usdot: USDOT, seenMs: NOW, visits: [judged(id, heardMs)] });
    expect(await readVisits()).toEqual([['PARKED', 'joined', ...OPEN]]);
  });
});

describe('fixes that come late', () => {
  const handOver = async (since: number, fixes: readonly RecordedFix[]): Promise<void> => {
    const late = fixes.map((fix) => ({ ...fix, isLate: true }));
    const rows = changesOf(nowMs, late).fixes;
    await held.history.handOver({ usdot: USDOT, seenMs: nowMs, since, revision: since + 1, fixes: rows });
  };
  const [FROM, TO] = [NOW - 3 * HOUR_MS, NOW - 2 * HOUR_MS];

  it('add the visits that they prove, which are marked, and move those that were judged', async () => {
    nowMs = NOW;
    const { id } = await addSite();
    await scan();
    const far = ['JUDGED', 'LATE'].flatMap((unit) => [fixAt(unit, FROM - HOUR_MS, 60), fixAt(unit, NOW, 60)]);
    await record(far);
    const live = {
      ...judged(id, FROM + 5 * MINUTE_MS, TO - MINUTE_MS),
      unit: 'JUDGED',
      arrivedAfterMs: FROM,
    };
    await held.write({ usdot: USDOT, seenMs: NOW, visits: [live] });
    const sent = visitOf('LATE', FROM, TO, 5 * MINUTE_MS);
    // One part of them is recorded, and looked at, before the other.
    const isFirst = ({ fixMs }: RecordedFix): boolean => fixMs < FROM + 20 * MINUTE_MS || fixMs > TO;
    await handOver(0, [...sent.filter(isFirst), ...visitOf('JUDGED', FROM, TO)]);
    nowMs += 2 * MINUTE_MS;
    await scan();
    await handOver(
      1,
      sent.filter((fix) => !isFirst(fix)),
    );
    // More may come.
    await scan();
    expect(await held.database.query('SELECT unit FROM linehaul.late_trails')).toEqual([{ unit: 'LATE' }]);
    nowMs += 2 * MINUTE_MS;
    await scan();
    expect(await readVisits()).toEqual([
      ['JUDGED', 'joined', FROM - 10 * MINUTE_MS, FROM, TO, TO + 10 * MINUTE_MS],
      ['LATE', 'late', FROM - 5 * MINUTE_MS, FROM, TO, TO + 5 * MINUTE_MS],
    ]);
    expect(await held.database.query('SELECT FROM linehaul.late_trails')).toEqual([]);
  });

  it('are awaited after a poll of an own fleet until they are handed over, or no poll came for a minute', async () => {
    nowMs = NOW;
    await addSite();
    await scan();
    const write = (revision: number) => held.write({ usdot: USDOT, seenMs: nowMs, revision });
    const readAwaited = () =>
      held.database.query(
        `SELECT from_ms::float8 AS at FROM linehaul.late_trails WHERE unit LIKE '#%' ORDER BY 1`,
      );
    await write(0);
    expect(await readAwaited()).toEqual([]);
    await write(1);
    nowMs += 10_000;
    await write(2);
    // The second poll was recorded while what came with the first one was handed over.
    await handOver(0, []);
    expect(await readAwaited()).toEqual([{ at: nowMs }]);
    await handOver(1, []);
    expect(await readAwaited()).toEqual([]);
    await write(2);
    expect(await readAwaited()).toEqual([]);
    // The fleet has another source from then on.
    await write(3);
    await scan();
    expect(await readAwaited()).toHaveLength(1);
    nowMs += 2 * MINUTE_MS;
    await scan();
    expect(await readAwaited()).toEqual([]);
  });

  it('move the arrival of a truck that is still there, of which its feed hears once', async () => {
    nowMs = NOW;
    const { id } = await addSite();
    await scan();
    const [before, heard] = [NOW - 8 * MINUTE_MS, NOW - 2 * MINUTE_MS];
    await record([fixAt('LATE', before, 3), fixAt('LATE', heard, 0), fixAt('LATE', heard + MINUTE_MS, 0)]);
    const live = { ...judged(id, heard), unit: 'LATE', arrivedAfterMs: before };
    await held.write({ usdot: USDOT, seenMs: NOW, visits: [live] });
    const sent = Array.from({ length: 6 }, (_, i) => fixAt('LATE', before + i * MINUTE_MS, i < 2 ? 2 : 0));
    await handOver(0, sent.slice(1));
    nowMs += 2 * MINUTE_MS;
    expect(await scan()).toEqual([USDOT]);
    const moved = ['LATE', 'joined', before + MINUTE_MS, before + 2 * MINUTE_MS, null, null];
    expect(await readVisits()).toEqual([moved]);
    // The feed may report the arrival as it knew it.
    await held.write({ usdot: USDOT, seenMs: nowMs, visits: [live] });
    expect(await readVisits()).toEqual([moved]);
    expect(await scan()).toEqual([]);
  });

  it('are also those of a batch that came in any order, of which a poll showed the newest alone', async () => {
    nowMs = NOW;
    const { id } = await addSite();
    await scan();
    const at = (s: number): number => NOW - 10 * MINUTE_MS + s * 1000;
    // Inside from 94 s to 244 s, with a fix each 15 s; polls showed those at 79, 110 and each minute, from 230 s on.
    const shown = [79, 110, 170, 230, 290, 350];
    const seconds = Array.from({ length: 15 }, (_, i) => 79 + 15 * i).concat(shown);
    const all = [...new Set(seconds)].map((s) => fixAt('BATCH', at(s), s >= 94 && s <= 244 ? 0 : 0.6));
    const live = { ...judged(id, at(170)), unit: 'BATCH', arrivedAfterMs: at(79) };
    await record(all.filter(({ fixMs }) => shown.some((s) => at(s) === fixMs)));
    await handOver(
      0,
      all.filter(({ fixMs }) => fixMs < at(230)),
    );
    await held.write({ usdot: USDOT, seenMs: nowMs, visits: [live] });
    // The departure is recorded before the fixes that came with it.
    nowMs = at(355);
    await held.write({
      usdot: USDOT,
      seenMs: nowMs,
      visits: [{ ...live, leftMs: at(230), leftByMs: at(290) }],
    });
    await handOver(
      1,
      all.filter(({ fixMs }) => fixMs > at(230)),
    );
    nowMs = NOW + 2 * MINUTE_MS;
    await scan();
    const [[, origin, ...times] = []] = await readVisits();
    expect([origin, ...times.map((ms) => ((ms as number) - at(0)) / 1000)]).toEqual([
      ...['joined', 79, 94, 244, 259],
    ]);
  });

  it('are the beginning of a visit of which polls saw no arrival', async () => {
    nowMs = NOW;
    const { id } = await addSite();
    await scan();
    await record([fixAt('LATE', FROM - HOUR_MS, 60)]);
    const sent = visitOf('LATE', FROM, NOW - 20 * MINUTE_MS).filter(
      ({ fixMs }) => fixMs <= NOW - 20 * MINUTE_MS,
    );
    await handOver(0, sent);
    nowMs += 2 * MINUTE_MS;
    await scan();
    expect(await readVisits()).toEqual([]);
    await record([fixAt('LATE', nowMs - MINUTE_MS, 0), fixAt('LATE', nowMs, 0)]);
    const live = { ...judged(id, nowMs - MINUTE_MS), unit: 'LATE', arrivedAfterMs: null };
    await held.write({ usdot: USDOT, seenMs: nowMs, visits: [live] });
    nowMs += 2 * MINUTE_MS;
    await scan();
    expect(await readVisits()).toEqual([['LATE', 'joined', expect.any(Number), FROM, null, null]]);
  });

  long('are no visit where the truck cannot have come from the fix before', async () => {
    nowMs = NOW;
    await addSite();
    await scan();
    const road = Array.from({ length: 40 }, (_, i) => fixAt('JUMPS', FROM + i * MINUTE_MS, 300));
    await record(road);
    await handOver(0, [fixAt('JUMPS', FROM + 5.5 * MINUTE_MS, 0)]);
    nowMs += 2 * MINUTE_MS;
    await scan();
    expect(await readVisits()).toEqual([]);
  });
});

it('finds day by day, near the sites alone, what the whole trail shows', async () => {
  const sites = [siteOf(1, 0), siteOf(2, 3000, { marginM: 0 })];
  // Steps of a truck: minutes, and km to the north.
  const leg = fc.tuple(
    fc.integer({ min: 1, max: 600 }),
    fc.constantFrom(0, 0.1, 0.25, 0.3, 1, 3, 3.1, 4, 30, 200),
  );
  const trail = fc.array(leg, { minLength: 5, maxLength: 60 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(trail, { minLength: 1, maxLength: 3 }), async (trails) => {
      const fromMs = 100 * DAY_MS * ++run;
      const fixes = trails.flatMap((legs, u) => {
        let atMs = fromMs;
        return legs.map(([minutes, km]) => fixAt(`U${u}`, (atMs += minutes * MINUTE_MS), km));
      });
      const toMs = Math.max(...fixes.map(({ fixMs }) => fixMs)) + HOUR_MS;
      await held.write({ usdot: USDOT, seenMs: toMs, changes: changesOf(toMs, fixes) });
      const found = await findVisits(held.reader, { usdot: USDOT, sites, fromMs, toMs });
      const visits: SiteVisit[] = [];
      for (const unit of new Set(fixes.map((fix) => fix.unit))) {
        const whole = new RecordedVisits(unit, sites);
        for (const { fixMs, lat } of fixes.filter((fix) => fix.unit === unit))
          whole.add(fixMs, Math.round(lat! * 1e5), -10_100_000);
        visits.push(...whole.listOpen(toMs).map(({ visit }) => visit), ...whole.visits);
      }
      const toKeys = (each: SiteVisit[]) =>
        each
          .map(({ siteId, unit, arrivedMs, leftMs, leftByMs }) =>
            [siteId, unit, arrivedMs, leftMs, leftByMs].join(' '),
          )
          .sort();
      expect(toKeys([...found.visits, ...found.open.map(({ visit }) => visit)])).toEqual(toKeys(visits));
    }),
    { numRuns: IS_LONG ? 60 : 2, endOnFailure: true },
  );
});
