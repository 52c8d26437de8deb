/** What links show while what they are about changes: loads, trucks, their keys, and the rights of their makers. */
import { expect, it } from 'vitest';
import { toVerdict } from '@/lib/arrivals/load';
import { MINUTE_MS } from '@/lib/base/time';
import { changeLoad } from '@/lib/loads/server/loads';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { changesOf } from '@/testing/history/recording';
import { insertViewer } from '@/testing/auth/sign-in';
import { identityOf } from '@/testing/live/tracked-units';
import { START_MS } from '@/testing/motion/fixes';
import { ALL, METERS, OTHER, TRUCK, atMs, minuteOf, setUpDriven } from '@/testing/shares/driven';
import { ANN, about, shareOf } from '@/testing/shares/shares';
import type { ShareAnswer, SharedItem } from '../view';
import { addShare, changeShare } from './shares';

const { held, driven, poll, drive, share, show, makeLoad } = setUpDriven();

/** Nothing was wrong there, and polls take their time. */
const inLong = it.skipIf(process.env.LINEHAUL_TEST_LONG !== '1');

const read = (link: { link: string }): Promise<ShareAnswer> => held.show(driven.reader, link);
const northOf = ({ lat }: { lat: number }): number => Math.round((lat - 35) / METERS / 100) * 100;
const namesOf = ({ stops }: SharedItem) =>
  stops.map(({ lat, arrived, left }) => [northOf({ lat }), arrived !== null, left !== null]);

inLong('of two loads that a truck has at once each link has its own stops, way and end', async () => {
  await poll(0, { [TRUCK]: -3000 });
  const first = await makeLoad([0, 6000], '8841');
  await drive(1, -1500, 0, 0, 0, 1500);
  // The second one is given to the truck on its way.
  const second = await makeLoad([3000, 12_000], '8842');
  const ends = { fields: ALL, endsMs: null } as const;
  const [ofFirst, ofSecond, atPickup] = [
    await share({ ...about({ loadId: first.id }), ...ends, endsOn: 'delivery' }),
    await share({ ...about({ loadId: second.id }), ...ends, endsOn: 'delivery' }),
    await share({ ...about({ loadId: second.id }), ...ends, endsOn: 'departure', endsAtStop: 0 }),
  ];
  await drive(6, 3000, 3000, 3000, 4500);
  await poll(9.5, { [TRUCK]: 5000 });
  expect(await read(atPickup)).toMatchObject({ kind: 'ended', endedMs: atMs(7.95) });
  const [one, two] = [await show(ofFirst), await show(ofSecond)];
  expect([one.title, namesOf(one)]).toEqual([
    '8841 · PO 17',
    [
      [0, true, true],
      [6000, false, false],
    ],
  ]);
  expect([two.title, namesOf(two)]).toEqual([
    '8842 · PO 17',
    [
      [3000, true, true],
      [12_000, false, false],
    ],
  ]);
  // Its way begins when the truck got it, beyond the first stop of the other one.
  expect(Math.min(...one.trail.map(northOf))).toBe(-1500);
  expect(Math.min(...two.trail.map(northOf))).toBe(3000);
  await drive(10, 6000, 6000, 6000, 7500, 9000, 10_500);
  // The first one is delivered: the truck goes on with the second one.
  expect(await read(ofFirst)).toMatchObject({ kind: 'ended', endedMs: atMs(11.95) });
  const on = await show(ofSecond);
  expect(minuteOf(on)).toBeCloseTo(15);
  expect(namesOf(on)).toEqual(namesOf(two));
});

it('a link that has ended with its load stays ended where that goes on again, and shows nothing from then', async () => {
  const load = await makeLoad([0, 4500]);
  const other = await makeLoad([0, 60_000], '8842');
  const made = { fields: ALL, endsMs: null, endsOn: 'delivery' } as const;
  const [link, both] = [
    await share({ ...about({ loadId: load.id }), ...made }),
    await share({ ...about({ loadId: load.id }, { loadId: other.id }), ...made }),
  ];
  await drive(1, -1500, 0, 0, 0, 1500, 3000, 4500, 4500, 4500, 6000, 7500, 9000);
  const ended = await read(link);
  expect(ended).toMatchObject({ kind: 'ended', endedMs: atMs(8.95) });
  const stops = [...load.input.stops];
  stops.push({ ...stops[1]!, place: { ...stops[1]!.place!, name: 'Added', lat: 35 + 15_000 * METERS } });
  await changeLoad(held.by(ANN), driven.usdot, load.id, { ...load.input, stops });
  await driven.feed.readAgain(held.nowMs);
  await drive(13, 10_500, 12_000);
  expect(await read(link)).toEqual(ended);
  const itemsOf = (answer: ShareAnswer) => (answer.kind === 'open' ? answer.view.items : []);
  expect(itemsOf(await read(both))).toMatchObject([
    { endedMs: atMs(8.95), title: '8841', position: null, stops: [], trail: [] },
    { endedMs: null, title: '8842 · PO 17' },
  ]);
  // It is not changed any more, and of several none goes on again.
  const again = { ...about({ loadId: load.id }), ...made };
  const change = (id: string, changes: object) =>
    changeShare(held.by(ANN), driven.usdot, id, shareOf(held, { ...again, ...changes }));
  await expect(change(link.id, {})).rejects.toMatchObject({ code: 'share-over' });
  await change(both.id, about({ loadId: load.id }, { loadId: other.id, alias: 'Blue' }));
  expect(itemsOf(await read(both))[0]).toMatchObject({ endedMs: atMs(8.95), position: null });
  // The load has another link instead.
  expect(await show(await share(again))).toMatchObject({ next: 2, position: { fixAtMs: atMs(13.95) } });
});

it('a truck whose number changes is shown with the new one', async () => {
  const numbered = (truckNumber: string) => ({
    more: { identity: identityOf(TRUCK, { truckNumber, deviceId: '7' }) },
  });
  await poll(1, { [TRUCK]: 0 }, numbered('118'));
  const [link, alias] = [
    await share({ fields: ALL }),
    await share({ ...about({ unit: TRUCK, alias: 'Blue' }), fields: ALL }),
  ];
  expect(await show(link)).toMatchObject({ title: '118' });
  await poll(2, { [TRUCK]: 1500 }, numbered('204'));
  expect(await show(link)).toMatchObject({ title: '204', position: { fixAtMs: atMs(1.95) } });
  expect(await show(alias)).toMatchObject({ title: 'Blue' });
});

const DEVICE = 'device:7';
/** A poll of a truck that is known by its device, and from some minute on by its VIN. */
const pollDevice = (min: number, northM: number, isKnown: boolean) => {
  const key = isKnown ? TRUCK : DEVICE;
  return poll(
    min,
    { [key]: northM },
    { more: { identity: identityOf(key, { deviceId: '7', truckNumber: '118' }) } },
  );
};

it('a truck that gets another key keeps its links, the stops that it was at, and what was taken of it', async () => {
  await pollDevice(0, -3000, false);
  const load = await makeLoad([0, 9000], '8841', DEVICE);
  const area = await share({ ...about({ loadId: load.id }), precision: 'area', fields: ALL });
  const [link, ofTruck, arrival] = [
    await share({ ...about({ loadId: load.id }), fields: ALL, endsMs: null, endsOn: 'delivery' }),
    await share({ ...about({ unit: DEVICE }), fields: ALL }),
    await share({ ...about({ loadId: load.id }), fields: ALL, endsMs: null, endsOn: 'arrival' }),
  ];
  for (const [i, northM] of [-1500, 0, 0, 0, 1500, 3000].entries()) await pollDevice(i + 1, northM, false);
  const shown = await show(link);
  expect(shown.stops[0]).toMatchObject({ arrived: { byMs: atMs(1.95) }, left: { afterMs: atMs(3.95) } });
  const taken = await show(area);
  await pollDevice(7, 4500, true);
  await pollDevice(8, 6000, true);
  // A feed that starts with what is recorded sees the same.
  await driven.feed.start(held.nowMs);
  await pollDevice(9, 7500, true);
  expect((await show(link)).stops[0]).toEqual(shown.stops[0]);
  expect(await show(ofTruck)).toMatchObject({ title: '118', position: { fixAtMs: atMs(8.95) } });
  expect((await show(area)).position).toEqual(taken.position);
  for (const [i, northM] of [9000, 9000, 9000].entries()) await pollDevice(10 + i, northM, true);
  expect(await read(arrival)).toMatchObject({ kind: 'ended', endedMs: atMs(9.95) });
  for (const [i, northM] of [10_500, 12_000, 13_500].entries()) await pollDevice(13 + i, northM, true);
  expect(await read(link)).toMatchObject({ kind: 'ended', endedMs: atMs(11.95) });
});

inLong('a link of several trucks goes on with those that stay where one leaves the fleet', async () => {
  await poll(0, { [TRUCK]: 0, [OTHER]: 0 });
  const link = await share({ ...about({ unit: TRUCK }, { unit: OTHER }), fields: ALL, endsMs: atMs(10_000) });
  await poll(1, { [TRUCK]: 1500, [OTHER]: 1500 });
  for (let min = 2; min < 30; min++) await poll(min, { [TRUCK]: 1500 * min });
  const answer = await read(link);
  const items = answer.kind === 'open' ? answer.view.items : [];
  expect(items[0]).toMatchObject({ position: { fixAtMs: atMs(28.95) }, status: { status: 'moving' } });
  // What was known of the other one last, with its age.
  expect(items[1]!.position?.fixAtMs ?? atMs(0.95)).toBe(atMs(0.95));
  expect(items[1]!.status?.status ?? 'silent').toBe('silent');
  const changed = { ...about({ unit: TRUCK }, { unit: OTHER }), endsMs: atMs(60) };
  await changeShare(held.by(ANN), driven.usdot, link.id, shareOf(held, changed));
});

it('a link shows nothing of trucks that its maker does not see any more', async () => {
  const usdot = driven.usdot;
  const maker = {
    ...ANN,
    id: `m${usdot}`,
    email: `m${usdot}@carrier.test`,
    role: 'dispatcher' as const,
    tags: ['a'],
  };
  await insertViewer(held.database, maker);
  const setTags = (tags: string) =>
    held.pool.query('update linehaul.users set tags = $2 where id = $1', [maker.id, tags]);
  await setTags('{a}');
  for (const [tag, unit] of [
    ['a', TRUCK],
    ['b', OTHER],
  ])
    await held.pool.query('insert into linehaul.unit_tags (usdot, tag, unit) values ($1, $2, $3)', [
      usdot,
      tag,
      unit,
    ]);
  await poll(0, { [TRUCK]: -1500, [OTHER]: 0 });
  const load = await makeLoad([0, 60_000]);
  const make = (changes: object) =>
    addShare(held.by(maker), usdot, shareOf(held, { fields: ALL, ...changes }));
  const [link, ofTruck] = [await make(about({ loadId: load.id })), await make(about({ unit: TRUCK }))];
  await drive(1, 0, 0, 0, 1500, 3000);
  expect(await show(link)).toMatchObject({ vin: TRUCK, position: {}, stops: [{ arrived: {} }, {}] });
  await setTags('{b}');
  const hidden = { position: null, status: null, vin: null, truckNumber: null, window: null, trail: [] };
  expect(await show(ofTruck)).toMatchObject(hidden);
  expect(await show(link)).toMatchObject({
    ...hidden,
    stops: [
      { arrived: null, left: null, isPassed: false },
      { arrived: null, left: null },
    ],
  });
  await setTags('{a,b}');
  expect(await show(link)).toMatchObject({ vin: TRUCK, stops: [{ arrived: {} }, {}] });
});

it('no link is made where nothing is recorded', async () => {
  const input = shareOf(held, about({ unit: TRUCK }));
  await expect(addShare({ ...held.by(ANN), history: null }, driven.usdot, input)).rejects.toMatchObject({
    code: 'recording-off',
  });
});

it('a poll is not shown before the fixes that came with it are handed over, which may show an end before it', async () => {
  const load = await makeLoad([0, 50_000]);
  await drive(1, -3000, -1500);
  const made = { ...about({ loadId: load.id }), fields: ALL, endsMs: null } as const;
  const [arrival, byTime] = [
    await share({ ...made, endsOn: 'arrival', endsAtStop: 0 }),
    await share({ ...about({ unit: TRUCK }) }),
  ];
  expect(minuteOf(await show(arrival))).toBeCloseTo(2);
  const history = new HistoryRepository(held.pool);
  const { usdot } = driven;
  const handOver = (since: number, revision: number, norths: number[]) => {
    const late = norths.map((northM, i) => {
      const fixMs = atMs(3 + i - 0.05);
      return { unit: TRUCK, fixMs, lat: 35 + northM * METERS, lng: -101.00437, isLate: true };
    });
    const fixes = late.length === 0 ? null : changesOf(held.nowMs, late).fixes;
    return history.handOver({ usdot, seenMs: held.nowMs, since, revision, fixes });
  };
  // It was without a connection, and sends what it kept: polls show the newest fix of it alone.
  await poll(10, { [TRUCK]: 3000 }, { revision: 5 });
  const held10 = await show(arrival);
  expect(minuteOf(held10)).toBeCloseTo(2);
  expect(held10.trail.every((at) => northOf(at) < 0)).toBe(true);
  // Nothing ends this one but its time.
  expect(minuteOf(await show(byTime))).toBeCloseTo(10);
  await poll(10.5, { [TRUCK]: 3100 }, { revision: 6 });
  expect(minuteOf(await show(arrival))).toBeCloseTo(2);
  // That of the first poll is recorded after the second one: then that waits alone.
  await handOver(0, 5, []);
  expect(minuteOf(await show(arrival))).toBeCloseTo(10);
  await handOver(5, 6, [-700, 0, 0, 0, 0, 1500]);
  expect(minuteOf(await show(arrival))).toBeCloseTo(2);
  await held.pool.query('DELETE FROM linehaul.late_trails WHERE usdot = $1', [usdot]);
  expect(minuteOf(await show(arrival))).toBeCloseTo(10.5);
  // A poll that brings nothing new waits for nothing.
  await poll(11, { [TRUCK]: 3200 }, { revision: 6 });
  expect(minuteOf(await show(arrival))).toBeCloseTo(11);
});

it('a blurred link judges whether it is in time by the window that it shows, and shows that of the next stop alone', async () => {
  const load = await makeLoad([3000, 400_000]);
  const made = { ...about({ loadId: load.id }), fields: ALL, endsMs: atMs(1000) };
  const [link, exact] = [await share({ ...made, precision: 'area' }), await share(made)];
  const setAppointment = async (toMs: number) => {
    const stops = load.input.stops.map((stop) => ({ ...stop, appointment: { fromMs: START_MS, toMs } }));
    await changeLoad(held.by(ANN), driven.usdot, load.id, { ...load.input, stops });
    await driven.feed.readAgain(held.nowMs);
  };
  await drive(1, 0);
  expect(await show(link)).toMatchObject({ next: 0, window: {}, verdict: 'onTime' });
  await drive(2, 1500, 3000, 3000, 3000, 4500, 6000);
  // What was taken before is of the stop that it has left.
  expect(await show(link)).toMatchObject({ next: 1, window: null, verdict: 'unknown' });
  await drive(17, 21_000);
  const { window } = await show(link);
  const between = new Set<string>();
  for (const [i, beforeMin] of [-1, 1, 5, 10, 20, 30, 200].entries()) {
    await setAppointment(window!.toMs - beforeMin * MINUTE_MS);
    await drive(17.5 + i / 2, 21_750 + 750 * i);
    const [shown, { verdict }] = [await show(link), await show(exact)];
    const appointment = shown.stops[1]!.appointment!;
    expect(shown.window).toEqual(window);
    expect(shown.verdict).toBe(toVerdict({ siteId: 1, appointment }, null, window, held.nowMs));
    between.add(`${verdict} ${shown.verdict}`);
  }
  // Where the exact window ends earlier than the shown one, only the exact link knows that it is in time.
  expect(between).toContain('onTime atRisk');
  expect(between).toContain('onTime onTime');
});

it('a link ends with a delivery that is recorded before its load is judged by it', async () => {
  const load = await makeLoad([0]);
  await drive(1, -1500, 0, 0, 0);
  const link = await share({ ...about({ loadId: load.id }), fields: ALL, endsMs: null, endsOn: 'delivery' });
  expect(minuteOf(await show(link))).toBeCloseTo(4);
  const { rows } = await held.pool.query<{ id: number }>(
    'select site_id as id from linehaul.load_stops where load_id = $1',
    [load.id],
  );
  const visit = { siteId: rows[0]!.id, unit: TRUCK, arrivedAfterMs: atMs(0.95), arrivedMs: atMs(1.95) };
  await new HistoryRepository(held.pool).write({
    ...{ usdot: driven.usdot, seenMs: atMs(6), changes: null, coverage: [], statusCounts: null },
    visits: [{ ...visit, leftMs: atMs(3.95), leftByMs: atMs(4.95) }],
  });
  expect(await read(link)).toMatchObject({ kind: 'ended', endedMs: atMs(3.95) });
});
