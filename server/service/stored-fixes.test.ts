import { expect, it } from 'vitest';
import { IS_LONG } from '@/testing/long';
import { CARRIER, OWN_CARRIER, toFix, toVin } from '@/testing/service/vehicles';
import { setUpOwnRecording, toOwnVehicle } from '@/testing/service/own-recording';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { readRecordedUnits } from '@/lib/recording/recorded-fleet';

const { usdot } = OWN_CARRIER;
const long = it.runIf(IS_LONG);
/** Half past an hour. */
const START = 495_000 * HOUR_MS + 30 * MINUTE_MS;
const WEEKS_1024_MS = 1024 * 7 * 24 * HOUR_MS;

const own = setUpOwnRecording(START);

/** A fix on a road that leads north, a kilometer each minute. */
const onRoad = (fixAtMs: number, n = 1) =>
  toFix(n, fixAtMs, { lat: Math.round((35 + (fixAtMs - START) / MINUTE_MS / 111) * 1e7) / 1e7 });

const readTrail = async (n = 1) =>
  (await own.held.reader.readTrail(usdot, toVin(n), 0, START + 48 * HOUR_MS)).map(
    ({ fixAtMs }) => fixAtMs - START,
  );

/** The times of fixes of a dead zone, one a minute, up to now. */
const timesOf = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => own.nowMs - (count - 1 - i) * MINUTE_MS);

const startDriving = async (): Promise<void> => {
  await own.store.vehicles.upsertMany([toOwnVehicle(1), toOwnVehicle(2)]);
  await own.store.fixes.record(usdot, [onRoad(own.nowMs)]);
  await own.poll();
  own.nowMs += 41 * MINUTE_MS;
};

it.each(['in one batch', ...(IS_LONG ? ['one by one', 'in the wrong order, and twice'] : [])])(
  'the fixes of a dead zone that a device reports %s are all in the trail, once',
  async (how) => {
    await startDriving();
    const fixes = timesOf(41).map((atMs) => onRoad(atMs));
    if (how === 'in one batch') await own.store.fixes.record(usdot, fixes);
    else {
      const sent = how === 'one by one' ? fixes : [...fixes.toReversed(), ...fixes];
      for (const fix of sent) await own.store.fixes.record(usdot, [fix]);
    }
    await own.poll();
    expect(await readTrail()).toEqual([0, ...timesOf(41).map((atMs) => atMs - START)]);
    own.nowMs += 5000;
    await own.poll();
    expect(await readTrail()).toHaveLength(42);
  },
);

it('the newest is recorded as the map showed it, the others as late ones, and a feed starts without these', async () => {
  await startDriving();
  await own.store.fixes.record(
    usdot,
    timesOf(41).map((atMs) => onRoad(atMs)),
  );
  await own.poll();
  const trail = await own.held.reader.readTrail(usdot, toVin(1), START, own.nowMs + 1);
  expect(trail.filter(({ speedKph }) => speedKph === null)).toHaveLength(42 - 2 + 2);
  const { fixes } = await readRecordedUnits(own.held.pool, usdot, START - HOUR_MS);
  expect(fixes.get(toVin(1))).toHaveLength(2 * 16 * 2);
  const rows = await own.held.database.query(
    'SELECT is_from_store, speed_kph FROM linehaul.fixes ORDER BY fix_ms',
  );
  expect(rows[0]).toEqual({ is_from_store: false, speed_kph: -1 });
  expect(rows.at(-1)).toMatchObject({ is_from_store: false, speed_kph: expect.any(Number) });
});

it('a fix that is reported between a poll and the recording of it waits for the poll that shows it', async () => {
  await startDriving();
  await own.store.fixes.record(usdot, [onRoad(own.nowMs - 1000)]);
  await own.poll();
  own.nowMs += 5000;
  // As of the last poll, and stored after it.
  await own.store.fixes.record(usdot, [onRoad(own.nowMs - 1000)]);
  await own.flush();
  await own.poll();
  const rows = await own.held.database.query('SELECT is_from_store FROM linehaul.fixes');
  expect(rows.filter(({ is_from_store }) => is_from_store)).toEqual([]);
});

it('what a device says that cannot be is left out: another century, the future, and 0, 0', async () => {
  await startDriving();
  const { nowMs } = own;
  await own.store.fixes.record(usdot, [
    onRoad(nowMs - 5 * MINUTE_MS),
    toFix(1, nowMs - 4 * MINUTE_MS, { lat: 0, lng: 0 }),
    toFix(1, nowMs - WEEKS_1024_MS),
    toFix(1, nowMs + 3 * HOUR_MS),
    onRoad(nowMs - MINUTE_MS),
    onRoad(nowMs),
  ]);
  await own.poll();
  own.nowMs += 4 * HOUR_MS;
  await own.poll();
  expect(await readTrail()).toEqual([0, 36, 40, 41].map((minute) => minute * MINUTE_MS));
});

it('a fix of hours ago, of a truck that is not on the list and of an hour that is archived, is in the trail', async () => {
  await startDriving();
  own.nowMs = START + 8 * HOUR_MS;
  await own.store.fixes.record(usdot, [onRoad(own.nowMs, 2)]);
  await own.poll();
  expect(await own.held.archive(own.nowMs)).toEqual([]);
  const range = { fromMs: START - HOUR_MS, toMs: START + 2 * HOUR_MS };
  const mark = await own.held.reader.readMark(usdot, range);
  await own.store.fixes.record(usdot, [onRoad(START + 10 * MINUTE_MS), onRoad(START + 20 * MINUTE_MS)]);
  own.nowMs += 30_000;
  await own.poll();
  const minutes = [0, 10, 20].map((minute) => minute * MINUTE_MS);
  expect(await readTrail()).toEqual(minutes);
  expect(await own.held.reader.readMark(usdot, range)).not.toBe(mark);
  for (const later of [4 * HOUR_MS, 30 * HOUR_MS]) {
    expect(await own.held.archive(own.nowMs + later)).toEqual([]);
    expect(await readTrail()).toEqual(minutes);
  }
  const found = await own.held.reader.readFixes(usdot, range, ({ duck, from }) =>
    duck.readRows(`SELECT count(*)::INTEGER FROM ${from}`),
  );
  expect(found).toEqual([[3]]);
});

long('belongs to the carrier whose device it was, also when the truck has another one since', async () => {
  await startDriving();
  await own.store.carriers.upsert(CARRIER);
  await own.store.fixes.record(usdot, [onRoad(own.nowMs - MINUTE_MS), onRoad(own.nowMs)]);
  await own.store.vehicles.upsertMany([toOwnVehicle(1, { usdot: CARRIER.usdot })]);
  await own.poll();
  expect(await readTrail()).toEqual([0, 40 * MINUTE_MS, 41 * MINUTE_MS]);
  const { revision } = await own.store.fixes.listSince(CARRIER.usdot, 0, 1e9);
  expect((await own.store.fixes.listSince(CARRIER.usdot, 0, revision)).fixes).toEqual([]);
});

it('a corrected VIN has the fixes since then, and the other one those before', async () => {
  await startDriving();
  await own.store.fixes.record(usdot, [onRoad(own.nowMs - MINUTE_MS)]);
  await own.poll();
  await own.store.vehicles.upsertMany([
    toOwnVehicle(1, { deviceId: null }),
    toOwnVehicle(3, { deviceId: 'device-1' }),
  ]);
  own.nowMs += 2 * MINUTE_MS;
  const times = [own.nowMs - 2 * MINUTE_MS, own.nowMs - MINUTE_MS, own.nowMs];
  await own.store.fixes.record(
    usdot,
    times.map((atMs) => onRoad(atMs)),
  );
  await own.poll();
  const both = [...(await readTrail(1)), ...(await readTrail(3))].sort((a, b) => a - b);
  expect(both).toEqual([0, 40, 41, 42, 43].map((minute) => minute * MINUTE_MS));
  const units = await own.held.database.query(
    'SELECT count(DISTINCT unit)::int AS count FROM linehaul.fixes',
  );
  expect(units).toEqual([{ count: 2 }]);
});

long('while nothing was recorded, or the recording was set back, what was stored then follows', async () => {
  await startDriving();
  await own.restart();
  await own.store.fixes.record(
    usdot,
    timesOf(10).map((atMs) => onRoad(atMs)),
  );
  await own.poll();
  expect(await readTrail()).toHaveLength(11);
  // As of a restored backup of the recording alone.
  await own.held.database.query('DELETE FROM linehaul.fixes');
  await own.held.database.query('UPDATE linehaul.handed_over SET revision = 1');
  own.nowMs += 30_000;
  await own.poll();
  expect(await readTrail()).toHaveLength(11);
});

long('goes on where the store was set back, as by a backup of it alone', async () => {
  await startDriving();
  await own.held.database.query(`UPDATE linehaul.handed_over SET revision = 1e9`);
  await own.poll();
  await own.store.fixes.record(
    usdot,
    timesOf(3).map((atMs) => onRoad(atMs)),
  );
  await own.poll();
  expect(await readTrail()).toHaveLength(4);
});

long(
  'times that cannot be trusted are recorded by when polls showed them, and not once more by their own',
  async () => {
    await own.store.vehicles.upsertMany([toOwnVehicle(1)]);
    for (let minute = 0; minute < 40; minute++) {
      own.nowMs += MINUTE_MS;
      // A clock that is five hours slow.
      await own.store.fixes.record(usdot, [onRoad(own.nowMs - 5 * HOUR_MS)]);
      await own.poll();
    }
    const trail = await own.held.reader.readTrail(usdot, toVin(1), 0, own.nowMs + HOUR_MS);
    const byReceipt = trail.filter(({ isByReceipt }) => isByReceipt);
    expect(byReceipt.length).toBeGreaterThan(10);
    const since = byReceipt[0]!.seenAtMs;
    expect(trail.filter(({ isByReceipt, seenAtMs }) => !isByReceipt && seenAtMs > since)).toEqual([]);
  },
);

it.each([
  ['three minutes fast', 3 * MINUTE_MS],
  ['an hour slow', -60 * MINUTE_MS],
])('what a device whose clock is %s reports together is as far apart as it was', async (_, aheadMs) => {
  await own.store.vehicles.upsertMany([toOwnVehicle(1)]);
  const startMs = own.nowMs;
  for (let minute = 0; minute < 6; minute++) {
    own.nowMs += 5 * MINUTE_MS;
    const fixes = [120, 60, 0].map((s) => ({
      ...onRoad(own.nowMs - s * 1000),
      fixAtMs: own.nowMs - s * 1000 + aheadMs,
    }));
    await own.store.fixes.record(usdot, fixes);
    await own.poll();
  }
  const trail = await own.held.reader.readTrail(
    usdot,
    toVin(1),
    startMs + 11 * MINUTE_MS,
    own.nowMs + HOUR_MS,
  );
  expect(trail.filter(({ isByReceipt }) => !isByReceipt)).toEqual([]);
  expect(trail.map(({ fixAtMs }) => (fixAtMs - startMs) / MINUTE_MS)).toEqual(
    [15, 20, 25, 30].flatMap((minute) => [minute - 2, minute - 1, minute]),
  );
  // Where it was at each of these times: a kilometer north of the one a minute before.
  for (const { lat, fixAtMs } of trail) expect(lat).toBeCloseTo(onRoad(fixAtMs).lat, 4);
});
