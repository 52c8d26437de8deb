import { beforeAll, expect, it } from 'vitest';
import { freeRangeOf } from '@/lib/arrivals/free-time';
import { MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, readLoads } from '@/lib/loads/server/loads';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { readWatchedLoads } from '@/lib/recording/load-writer';
import { PROOF_USDOT } from '@/testing/proof/proof';
import { STAY_MS, STAY_UNIT, setUpStays } from '@/testing/proof/stays';
import { createSiteScans, startScans } from './site-scans';
import { countVisits, createVisitCounts } from './visit-counts';

const held = setUpStays();
const at = (min: number): number => STAY_MS + min * MINUTE_MS;
let loadId = 0;

beforeAll(async () => {
  const stop = { kind: 'pickup', siteId: held.siteId, place: null, appointment: null, freeMin: 120 };
  const input = loadInputSchema.parse({ reference: '1', customer: 'Acme', unit: STAY_UNIT, stops: [stop] });
  ({ id: loadId } = await addLoad(held.context(), PROOF_USDOT, input));
  const { query } = held.proof.database;
  await query('update linehaul.load_trucks set from_ms = $1', [at(-60)]);
  await query('update linehaul.loads set created_at = to_timestamp($1)', [STAY_MS / 1000]);
  await query(
    `insert into linehaul.load_states (load_id, state, next, verdict, shown, seen_ms) values ($1, 'atPickup', 0, 'none', '[]', $2)`,
    [loadId, at(30)],
  );
});

const readVisit = async () =>
  (
    await held.proof.database.query(
      'select sure, away_ms::int as away, count_due_ms::float8 as due from linehaul.site_visits',
    )
  )[0]!;
/** Runs the job of a server, as of a minute; the fleets whose feeds read their loads again. */
const count = async (min: number): Promise<string[]> => {
  const { orm, pool } = await held.proof.app.database.open();
  const moved: string[] = [];
  const [job] = createVisitCounts({
    ...{ database: () => ({ orm, pool }) as never, reader: () => held.reader },
    ...{ clock: { nowMs: () => at(min) }, onLearned: (usdot) => void moved.push(usdot) },
  }).kinds;
  await job!.run({} as never, new AbortController().signal);
  return moved;
};
/** When free time ends, as minutes, by what pages and mails read, and by what alerts and webhooks read. */
const readFreeEnds = async (): Promise<(number | null)[]> => {
  const { pool } = await held.proof.app.database.open();
  const [load] = await readLoads(pool, PROOF_USDOT, { endedAfterMs: 0, nowMs: at(600) });
  const [watched] = await readWatchedLoads(pool, PROOF_USDOT);
  const free = watched!.texts![0]!.free;
  const ends = [
    freeRangeOf(load!.stops[0]!, load!.judged[0]!.visit)!.toMs,
    freeRangeOf({ free, appointment: null }, watched!.visits[0]!)!.toMs,
  ];
  return ends.map((ms) => (ms - STAY_MS) / MINUTE_MS);
};
const fixesOf = (fromMin: number, toMin: number, northM: number) =>
  Array.from({ length: (toMin - fromMin) / 5 + 1 }, (_, i) => ({ min: fromMin + i * 5, northM }));

const SEEN_MIN = 5 / 60;

it('free time of a truck at its stop does not go on while it is away, and alerts and mails hear of it', async () => {
  await held.visit([25, 30, null, null]);
  await held.drive([...fixesOf(0, 25, 5000), ...fixesOf(30, 60, 50)]);
  expect(await readFreeEnds()).toEqual([150, 150]);
  expect(await count(61)).toEqual([]);
  expect(await readFreeEnds()).toEqual([150 + SEEN_MIN, 150 + SEEN_MIN]);
  // It waits at the gate, within the margin: its visit goes on.
  await held.drive(fixesOf(65, 90, 240));
  expect(await count(91)).toEqual([PROOF_USDOT]);
  const leftMin = 120 - (59 - 30 - SEEN_MIN);
  for (const ends of await readFreeEnds()) expect(ends).toBeCloseTo(91 + leftMin, 6);
  await held.drive(fixesOf(95, 100, 50));
  expect(await count(91.5)).toEqual([]);
  expect(await count(101)).toEqual([PROOF_USDOT]);
  for (const ends of await readFreeEnds()) expect(ends).toBeCloseTo(95 + SEEN_MIN + leftMin, 6);
});

it('is counted as it ends and once more an hour later, and again after its times, its fixes or its site have changed', async () => {
  await held.drive([...fixesOf(105, 270, 50), ...fixesOf(275, 290, 5000)]);
  await held.visit([25, 30, 270, 275]);
  expect(await readVisit()).toMatchObject({ sure: null, due: at(270) });
  await count(279);
  expect(await readVisit()).toMatchObject({ due: at(280) });
  await count(280);
  const counted = await readVisit();
  expect(counted).toMatchObject({ away: 36 * MINUTE_MS + 5000, due: at(335) });
  expect(counted.sure).toMatchObject({ fromMs: at(30) + 5000, toMs: at(269) });
  await count(336);
  expect(await readVisit()).toEqual({ ...counted, due: null });
  const { orm, pool } = await held.proof.app.database.open();
  const again = async (): Promise<void> => {
    expect(await readVisit()).toEqual({ sure: null, away: 0, due: at(270) });
    await countVisits({ pool, reader: held.reader, nowMs: at(900) }, { usdot: PROOF_USDOT, most: 5 });
    expect(await readVisit()).toEqual({ ...counted, due: null });
  };
  await startScans(orm, PROOF_USDOT, [held.siteId], at(400));
  await again();
  await held.proof.database.query('update linehaul.site_scans set share = 1');
  await held.proof.database.query(
    'insert into linehaul.late_trails (usdot, unit, from_ms, to_ms, seen_ms) values ($1, $2, $3, $3, $4)',
    [PROOF_USDOT, STAY_UNIT, at(200), at(500)],
  );
  const [scans] = createSiteScans({
    ...{ database: () => ({ orm, pool }) as never, reader: () => ({ readFixes: async () => null }) as never },
    clock: { nowMs: () => at(600) },
  }).kinds;
  await scans!.run({} as never, new AbortController().signal);
  await again();
  const history = new HistoryRepository(held.pool);
  await history.beginEarlier(PROOF_USDOT, { fromMs: at(-600), toMs: at(40), fixes: [] });
  await again();
  // The same times again are no others.
  await held.visit([25, 30, 270, 275]);
  expect(await readVisit()).toEqual({ ...counted, due: null });
});
