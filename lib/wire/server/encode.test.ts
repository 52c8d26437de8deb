import { expect, test } from 'vitest';
import { createRandom } from '@/testing/motion/fixes';
import { NO_POSITION, UNREAD_FEED, type Fleet, type UnitIdentity } from '../fleet';
import { applyLiveAnswer, createColumns, withRoom } from '../live';
import { fromLiveBytes, toLiveBytes } from '../live-bytes';
import { encodeLive } from './encode';
import { clearRow, copyRows } from '@/lib/fleet/row-columns';
import { identityOf } from '@/testing/live/tracked-units';

const FEED: Fleet['feed'] = { ...UNREAD_FEED, fetchedAtMs: 1 };
const CLOCK = { nowMs: 1_773_151_200_000, nextPollMs: 10_250 };

const emptyFleet: Fleet = {
  usdot: '9000001',
  version: 'e.0',
  rows: 0,
  identities: [],
  columns: createColumns(0),
  feed: FEED,
  account: null,
};

/** An answer as a browser receives it. */
const travel = (previous: Fleet | null, next: Fleet) =>
  fromLiveBytes(toLiveBytes(encodeLive(previous, next, CLOCK)));

/** The rows of a fleet without the spare capacity of its arrays. */
const visible = (fleet: Fleet) => ({ ...fleet, columns: copyRows(fleet.columns, fleet.rows) });

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const int = (random: () => number, below: number): number => Math.floor(random() * below);

const randomIdentity = (random: () => number, key: string): UnitIdentity =>
  identityOf(key, {
    truckNumber: pick(random, [null, '7', 'Ü "12"', '']),
    plateState: pick(random, [null, 'TX', 'OK']),
    make: pick(random, [null, 'Volvo', 'Mack']),
    model: pick(random, [null, 'VNL']),
    year: pick(random, [null, 2019, 2024]),
    fuelType: pick(random, [null, 'Diesel']),
    assetType: pick(random, [null, 'Truck']),
    deviceId: pick(random, [null, 'd1']),
    plateNumber: pick(random, [null, 'R12']),
  });

/** The next version of a fleet: some units come, some go, some are renamed, some move. */
const randomNext = (random: () => number, fleet: Fleet, n: number): Fleet => {
  const added = random() < 0.5 ? int(random, 6) : 0;
  const rows = fleet.rows + added;
  const columns = copyRows(withRoom(fleet.columns, rows), rows);
  const identities = [...fleet.identities];
  for (let row = 0; row < rows; row++) {
    if (row >= fleet.rows) identities.push(random() < 0.1 ? null : randomIdentity(random, `V${n}-${row}`));
    const held = identities[row];
    const change = random();
    if (held && change < 0.1) identities[row] = null;
    else if (held && change < 0.2) identities[row] = randomIdentity(random, held.key);
    if (!identities[row]) {
      clearRow(columns, row);
      continue;
    }
    if (random() < 0.6) {
      const hasPlace = random() < 0.9;
      columns.latE5[row] = hasPlace ? int(random, 18e6) - 9e6 : NO_POSITION;
      columns.lngE5[row] = hasPlace ? int(random, 36e6) - 18e6 : NO_POSITION;
      columns.fixAtS[row] = int(random, 2 ** 31);
      columns.speedKph[row] = int(random, 201) - 1;
      columns.headingDeg[row] = int(random, 361) - 1;
    }
    if (random() < 0.2) {
      columns.status[row] = int(random, 5);
      columns.reason[row] = int(random, 10);
      columns.sinceS[row] = int(random, 2 ** 31);
      columns.flags[row] = int(random, 64);
    }
  }
  return { ...fleet, version: `e.${n}`, rows, columns, identities };
};

test('gives a browser exactly the server’s fleet, from any version that the browser may hold', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = createRandom(seed);
    const versions = [emptyFleet];
    for (let n = 1; n <= 12; n++) versions.push(randomNext(random, versions[n - 1]!, n));
    let held = applyLiveAnswer(null, travel(null, versions[0]!));
    let heldN = 0;
    for (let n = 1; n <= 12; n++) {
      const whole = applyLiveAnswer(null, travel(null, versions[n]!));
      expect(visible(whole)).toEqual(visible(versions[n]!));
      // Some versions are skipped, as by a browser that was asleep.
      if (random() < 0.3) continue;
      held = applyLiveAnswer(held, travel(versions[heldN]!, versions[n]!));
      heldN = n;
      expect(visible(held)).toEqual(visible(versions[n]!));
    }
  }
});

test('omits rows that did not change', () => {
  const random = createRandom(9);
  const before = randomNext(random, randomNext(random, emptyFleet, 1), 2);
  const same = { ...before, version: 'e.3', columns: copyRows(before.columns, before.rows) };
  const { since, removed, named, motion, state } = travel(before, same);
  expect(since).toBe('e.2');
  for (const rows of [removed, named.rows, named.identities, motion.rows, state.rows])
    expect(rows).toHaveLength(0);
});

test('refuses to encode a change to a fleet that has become shorter', () => {
  const longer = { ...emptyFleet, rows: 1, columns: createColumns(1), identities: [identityOf('A')] };
  expect(() => encodeLive(longer, emptyFleet, CLOCK)).toThrow(RangeError);
});
