import { expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import type { StopInput } from '@/lib/loads/schema';
import { addLoad, changeLoad, endLoad } from '@/lib/loads/server/loads';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { changesOf } from '@/testing/history/recording';
import { START_MS } from '@/testing/motion/fixes';
import {
  ALL,
  METERS,
  OTHER,
  RADIUS_M,
  TRUCK,
  atMs,
  itemOf,
  loadOf,
  minuteOf,
  setUpDriven,
} from '@/testing/shares/driven';
import { ANN, about, shareOf, tokenOf } from '@/testing/shares/shares';
import { changeShare, revokeShare } from './shares';

const { held, driven, poll, drive, share, show, makeLoad, addYard } = setUpDriven();

it('shows what its maker chose of a truck, until its time has come', async () => {
  await poll(0, { [TRUCK]: 0, [OTHER]: 0 });
  const [all, few] = [await share({ fields: ALL }), await share({})];
  await drive(1, 1500, 3000);
  expect(await held.show(driven.reader, all)).toMatchObject({
    view: {
      carrier: 'Peach State Freight',
      timeZone: 'America/Chicago',
      items: [
        {
          ...{ kind: 'truck', vin: TRUCK, headingDeg: 0, speedKph: 90, stops: [], trail: expect.any(Array) },
          position: { precision: 'exact', radiusM: 0 },
          status: { status: 'moving' },
        },
      ],
    },
  });
  expect(await show(few)).toMatchObject({
    ...{ vin: null, status: null, headingDeg: null, speedKph: null, trail: [], title: '' },
    position: { fixAtMs: atMs(1.95) },
  });
  held.nowMs = START_MS + 60 * MINUTE_MS;
  const ended = { kind: 'ended', carrier: 'Peach State Freight', endedMs: held.nowMs };
  expect(await held.show(driven.reader, few)).toEqual(ended);
});

it('answers the same to a link that is unknown, and to one that ended where that is not to be shown', async () => {
  const hidden = await share({ showsEnd: false });
  held.nowMs += 60 * MINUTE_MS;
  expect(await held.show(driven.reader, hidden)).toEqual({ kind: 'nothing' });
  expect(await held.show(driven.reader, { link: `/t/${'A'.repeat(27)}` })).toEqual({ kind: 'nothing' });
  expect(await held.show(driven.reader, { link: '/t/short' })).toEqual({ kind: 'nothing' });
});

it('shows a load with its stops, its window and its way, and another truck only while that has it', async () => {
  await poll(0, { [TRUCK]: -3000, [OTHER]: 20_000 });
  await poll(1, { [TRUCK]: -1500 });
  const load = await makeLoad([0, 40_000]);
  const link = await share({ ...about({ loadId: load.id }), fields: ALL, endsMs: null, endsOn: 'arrival' });
  // What its truck did before it had the load is not shown.
  expect(await show(link)).toMatchObject({ title: '8841 · PO 17', position: null, trail: [], next: 0 });
  await drive(2, 0, 0, 0, 1500, 3000, 4500);
  const item = await show(link);
  expect(item).toMatchObject({
    ...{ kind: 'load', next: 1, verdict: 'onTime' },
    stops: [
      { name: 'Dock 0', arrived: { byMs: atMs(1.95) }, left: { afterMs: atMs(3.95), byMs: atMs(4.95) } },
      { name: 'Dock 1', arrived: null, left: null },
    ],
  });
  expect(item.window!.fromMs).toBeGreaterThan(held.nowMs);
  expect(item.leftM).toBeGreaterThan(30_000);
  expect(item.trail).toHaveLength(4);
  await changeLoad(held.by(ANN), driven.usdot, load.id, { ...load.input, unit: OTHER });
  await driven.feed.readAgain(held.nowMs);
  expect(await show(link)).toMatchObject({ vin: OTHER, position: null });
  await poll(8, { [TRUCK]: 6000, [OTHER]: 20_000 });
  const taken = await show(link);
  expect(taken.position!.lat).toBeCloseTo(35 + 20_000 * METERS, 4);
  expect(taken.trail.at(-1)!.lat).toBeCloseTo(taken.position!.lat, 4);
});

it('names a load by its references beside an alias of its truck, and what has ended still', async () => {
  const [first, second] = [await makeLoad([0, 40_000]), await makeLoad([0, 50_000], '8842')];
  await drive(1, 0);
  const items = about({ loadId: first.id, alias: 'Blue truck' }, { loadId: second.id }, { unit: OTHER });
  const link = await share({ ...items, endsOn: null, endsMs: held.nowMs + 60 * MINUTE_MS });
  const titlesOf = async () => {
    const answer = await held.show(driven.reader, link);
    return answer.kind === 'open' && answer.view.items.map(({ title, truckNumber }) => [title, truckNumber]);
  };
  const open = [
    ['8842 · PO 17', null],
    ['', null],
  ];
  expect(await titlesOf()).toEqual([['8841 · PO 17', 'Blue truck'], ...open]);
  await endLoad(held.by(ANN), driven.usdot, first.id);
  expect(await titlesOf()).toEqual([['8841', null], ...open]);
});

it('shows nothing after the first fix at the stop where it ends, and that it has ended once that is judged', async () => {
  const load = await makeLoad([0]);
  await drive(1, -3000, -1500, -700);
  const link = await share({ ...about({ loadId: load.id }), endsMs: null, endsOn: 'arrival' });
  await poll(4, { [TRUCK]: 300 });
  expect(minuteOf(await show(link))).toBeCloseTo(4);
  await poll(4.5, { [TRUCK]: 200 });
  expect(minuteOf(await show(link))).toBeCloseTo(4);
  await poll(5.1, { [TRUCK]: 0 });
  const answer = await held.show(driven.reader, link);
  expect(answer).toEqual({ kind: 'ended', carrier: 'Peach State Freight', endedMs: atMs(3.95) });
});

it('shows nothing after a stop where a truck was while it had no connection, until its late fixes are judged', async () => {
  const load = await makeLoad([0, 50_000]);
  await drive(1, -3000, -1500);
  const ofFirst = { endsMs: null, endsAtStop: 0 } as const;
  const [arrival, departure, open] = [
    await share({ ...about({ loadId: load.id }), ...ofFirst, endsOn: 'arrival' }),
    await share({ ...about({ loadId: load.id }), ...ofFirst, endsOn: 'departure' }),
    await share({ ...about({ loadId: load.id }), endsMs: null, endsOn: 'delivery' }),
  ];
  // It was at the stop from the fourth to the eighth minute.
  await poll(10, { [TRUCK]: 3000 });
  const late = [-700, 0, 0, 0, 0, 0, 1500].map((northM, i) => {
    const fixMs = atMs(3 + i - 0.05);
    return { unit: TRUCK, fixMs, lat: 35 + northM * METERS, lng: -101.00437, isLate: true };
  });
  const { fixes } = changesOf(held.nowMs, late);
  const history = new HistoryRepository(held.pool);
  await history.handOver({ usdot: driven.usdot, seenMs: held.nowMs, since: 0, revision: 1, fixes });
  expect(minuteOf(await show(arrival))).toBeCloseTo(2);
  expect(minuteOf(await show(departure))).toBeCloseTo(2);
  expect(minuteOf(await show(open))).toBeCloseTo(10);
  // They were judged, and show nothing about an end any more.
  await held.pool.query('DELETE FROM linehaul.late_trails WHERE usdot = $1', [driven.usdot]);
  expect(minuteOf(await show(arrival))).toBeCloseTo(10);
});

it('shows a truck again that only drove past', async () => {
  const load = await makeLoad([0, 50_000]);
  await drive(1, -3000, -1500);
  const link = await share({ ...about({ loadId: load.id }), endsMs: null, endsOn: 'arrival', endsAtStop: 0 });
  await poll(3, { [TRUCK]: 0 });
  await poll(3.5, { [TRUCK]: 1100 });
  expect(minuteOf(await show(link))).toBeCloseTo(3.5);
});

it('shows nothing beyond the site whose departure ends it', async () => {
  const siteId = await addYard(0);
  await drive(0, 0, 0, 0);
  const link = await share({ endsMs: null, endsOn: 'departure', endsAtSite: siteId });
  await poll(3, { [TRUCK]: 100 });
  await poll(3.5, { [TRUCK]: 700 });
  expect(minuteOf(await show(link))).toBeCloseTo(3);
  await poll(4, { [TRUCK]: 300 });
  expect(minuteOf(await show(link))).toBeCloseTo(4);
  await drive(5, 1500, 3000);
  expect(await held.show(driven.reader, link)).toMatchObject({ kind: 'ended', endedMs: atMs(3.95) });
});

it('a delayed link shows full minutes of so long ago, and nothing that became known since', async () => {
  const load = await makeLoad([3000, 60_000]);
  const link = await share({ ...about({ loadId: load.id }), delayMin: 15, fields: ALL });
  await drive(1, 0, 1500, 3000, 3000, 3000, 4500, 6000);
  expect(await show(link)).toMatchObject({ position: null, stops: [{ arrived: null }, {}] });
  for (let min = 8; min <= 18; min++) await poll(min, { [TRUCK]: 6000 + 1500 * (min - 7) });
  // Three minutes after the start it had come to the first stop, which was judged a minute later.
  const early = await show(link);
  expect(minuteOf(early)).toBeCloseTo(3);
  expect(early).toMatchObject({ next: 0, stops: [{ arrived: null }, {}] });
  for (let min = 19; min <= 20; min++) await poll(min, { [TRUCK]: 30_000 });
  const late = await show(link);
  expect(minuteOf(late)).toBeCloseTo(5);
  expect(late).toMatchObject({ stops: [{ arrived: { byMs: atMs(2.95) }, left: null }, {}] });
});

it('a blurred link shows one area to all servers, however often they are asked', async () => {
  await drive(1, 0, 1500, 3000);
  const link = await share({ precision: 'area', fields: ALL });
  const shown = await show(link);
  expect(shown).toMatchObject({
    ...{ position: { precision: 'area', radiusM: 8047 }, speedKph: null, headingDeg: null, trail: [] },
    status: { status: 'moving' },
  });
  const other = held.createReader();
  for (let min = 4; min < 17; min++) {
    await poll(min, { [TRUCK]: 1500 * min });
    held.nowMs += 20 * SECOND_MS;
    expect((await show(link)).position).toEqual(shown.position);
    expect(itemOf(await held.show(other, link)).position).toEqual(shown.position);
  }
  await drive(19, 28_000, 29_000);
  const moved = itemOf(await held.show(other, link));
  expect(moved.position!.lat).toBeGreaterThan(shown.position!.lat);
  expect((await show(link)).position).toEqual(moved.position);
});

it('a blurred link shows the status that its position was taken with, and nothing of the fixes in between', async () => {
  await drive(1, 0, 1500, 3000);
  const link = await share({ precision: 'town', fields: ['status'] });
  const versionOf = async () => {
    const answer = await held.show(driven.reader, link);
    return answer.kind === 'open' ? answer.version : null;
  };
  const shown = await show(link);
  expect(shown.status).toMatchObject({ status: 'moving' });
  const version = await versionOf();
  for (let min = 4; min < 17; min++) {
    await poll(min, { [TRUCK]: 3000 });
    expect((await show(link)).status).toEqual(shown.status);
    expect(await versionOf()).toBe(version);
  }
  await drive(18, 3000, 3000);
  const taken = await show(link);
  expect(taken.status).toMatchObject({ status: 'stopped' });
  expect(taken.status!.sinceMs).toBeLessThanOrEqual(taken.position!.fixAtMs);
});

it('a blurred link of a load shows nothing of the truck before once it shows another one', async () => {
  await poll(0, { [TRUCK]: 0, [OTHER]: 200_000 });
  const load = await makeLoad([-3000, 60_000]);
  const link = await share({ ...about({ loadId: load.id }), precision: 'area', fields: ALL });
  await poll(1, { [TRUCK]: 1500, [OTHER]: 200_000 });
  expect((await show(link)).position!.lat).toBeLessThan(35.2);
  await changeLoad(held.by(ANN), driven.usdot, load.id, { ...load.input, unit: OTHER });
  await driven.feed.readAgain(held.nowMs);
  await poll(3, { [TRUCK]: 4500, [OTHER]: 200_000 });
  expect(await show(link)).toMatchObject({ vin: OTHER });
  expect((await show(link)).position!.lat).toBeGreaterThan(36.5);
});

it('a delayed link has the clock of the stop that was next then', async () => {
  const { stops, ...input } = loadOf(TRUCK, [3000, 60_000], '8841');
  const last = { ...stops[1]!, place: { name: 'Albuquerque', lat: 35.1, lng: -106.6, radiusM: RADIUS_M } };
  const load = await addLoad(held.by(ANN), driven.usdot, { ...input, stops: [stops[0]!, last] });
  await driven.feed.readAgain(held.nowMs);
  const [delayed, direct] = [
    await share({ ...about({ loadId: load.id }), delayMin: 15, fields: ALL }),
    await share({ ...about({ loadId: load.id }), fields: ALL }),
  ];
  await drive(1, 0, 1500, 3000, 3000, 3000, 4500, 6000);
  const zoneOf = async (link: { link: string }) => {
    const answer = await held.show(driven.reader, link);
    return answer.kind === 'open' ? answer.view.timeZone : null;
  };
  expect(await zoneOf(direct)).toBe('America/Denver');
  expect(await zoneOf(delayed)).toBe('America/Chicago');
});

it('a link ends at the stop that was chosen, also where stops of its load are added, removed or moved', async () => {
  const load = await makeLoad([0, 5000, 30_000]);
  const [first, second, last] = load.input.stops as [StopInput, StopInput, StopInput];
  const make = (endsAtStop: number) =>
    share({
      ...about({ loadId: load.id }),
      fields: ['stops'],
      endsMs: null,
      endsOn: 'departure',
      endsAtStop,
    });
  const [atFirst, atSecond] = [await make(0), await make(1)];
  const change = async (...stops: StopInput[]) => {
    await changeLoad(held.by(ANN), driven.usdot, load.id, { ...load.input, stops });
    await driven.feed.readAgain(held.nowMs);
  };
  const endOf = async (link: { link: string }) => {
    const answer = await held.show(driven.reader, link);
    return answer.kind === 'open' ? answer.view.end.at : answer.kind;
  };
  await change(first, { ...last, place: { ...last.place!, name: 'Added', lat: 35.1 } }, second, last);
  expect([await endOf(atFirst), await endOf(atSecond)]).toEqual(['Dock 0', 'Dock 1']);
  await change(second, first, last);
  await change(first, second, last);
  await change(first, { ...second, place: { ...second.place!, name: 'Moved', lat: 35.06 } }, last);
  expect([await endOf(atFirst), await endOf(atSecond)]).toEqual(['Dock 0', 'Moved']);
  await change(first, last);
  expect([await endOf(atFirst), await endOf(atSecond)]).toEqual(['Dock 0', 'ended']);
});

it('changes its version with what it shows, and not with the time', async () => {
  await drive(1, 0, 1500);
  const link = await share({});
  const versionOf = async () => {
    const answer = await held.show(driven.reader, link);
    return answer.kind === 'open' ? answer.version : null;
  };
  const version = await versionOf();
  held.nowMs += 10 * SECOND_MS;
  expect(await versionOf()).toBe(version);
  await poll(3, { [TRUCK]: 3000 });
  expect(await versionOf()).not.toBe(version);
});

it('shows what its maker chose now, also while what was chosen before is still being read', async () => {
  await drive(1, 0, 1500);
  const link = await share({});
  let [name, isAsked] = [(_: string) => {}, () => {}];
  const carrier = new Promise<string>((resolve) => (name = resolve));
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const slow = held.createReader({
    readCarrierName: () => {
      isAsked();
      return carrier;
    },
  });
  const before = held.show(slow, link);
  await asked;
  await changeShare(
    held.by(ANN),
    driven.usdot,
    link.id,
    shareOf(held, { ...about({ unit: TRUCK }), precision: 'town' }),
  );
  const after = held.show(slow, link);
  // It has seen the change, and waits for what is being read.
  await new Promise((resolve) => setTimeout(resolve, 100));
  name('Peach State Freight');
  await before;
  expect(itemOf(await after).position).toMatchObject({ precision: 'town' });
});

it('waits for no view while what it showed is less than ten seconds old, and never for a revocation longer than one', async () => {
  await drive(1, 0, 1500);
  const link = await share({});
  const names: ((name: string) => void)[] = [];
  let isSlow = false;
  const reader = held.createReader({
    readCarrierName: () =>
      isSlow ? new Promise((resolve) => names.push(resolve)) : Promise.resolve('Peach State Freight'),
  });
  const fixOf = async (afterMs: number) => {
    held.elapsedMs += afterMs;
    const client = { address: '203.0.113.7', isOpening: false };
    const answer = await reader.read(tokenOf(link), client);
    return answer.kind === 'open' ? answer.view.items[0]!.position!.fixAtMs : answer.kind;
  };
  expect(await fixOf(0)).toBe(atMs(1.95));
  await poll(3, { [TRUCK]: 3000 });
  isSlow = true;
  expect(await fixOf(6000)).toBe(atMs(1.95));
  await expect.poll(() => names.length).toBe(1);
  expect(await fixOf(3000)).toBe(atMs(1.95));
  // It is too old now: this request has what is read meanwhile.
  const waiting = fixOf(2000);
  isSlow = false;
  names[0]!('Peach State Freight');
  expect(await waiting).toBe(atMs(2.95));
  await revokeShare(held.by(ANN), driven.usdot, link.id);
  expect(await fixOf(1000)).toBe('nothing');
});
