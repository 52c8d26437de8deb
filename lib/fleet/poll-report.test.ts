import { expect, test } from 'vitest';
import { COLUMNS, UNNAMED, type Columns, type UnitIdentity } from '@/lib/wire/fleet';
import { FLAGS, STATUSES, toFlagMask, type Flag, type Status } from '@/lib/motion/status';
import { FIX_AGE_BOUNDS_S, countFleet } from './poll-report';

const NOW_MS = 1_772_366_400_000;

const toFleet = (units: ({ status: Status; ageS: number | null; flags?: Flag[] } | null)[]) => {
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, new Int32Array(units.length)])) as Columns;
  const identities = units.map((unit, row): UnitIdentity | null => {
    if (unit === null) return null;
    columns.status[row] = STATUSES.indexOf(unit.status);
    columns.fixAtS[row] = unit.ageS === null ? 0 : NOW_MS / 1000 - unit.ageS;
    columns.flags[row] = toFlagMask(unit.flags ?? []);
    return { ...UNNAMED, key: `device:${row}` };
  });
  return { rows: units.length, identities, columns };
};

const youngerThan = (counts: ReturnType<typeof countFleet>, seconds: (typeof FIX_AGE_BOUNDS_S)[number]) =>
  counts.fixesYoungerThan[FIX_AGE_BOUNDS_S.indexOf(seconds)];

test('counts units by status, by each of their flags, and by the age of their newest fix', () => {
  const counts = countFleet(
    toFleet([
      { status: 'moving', ageS: 20 },
      { status: 'moving', ageS: 60, flags: ['clockFault', 'badVin'] },
      { status: 'silent', ageS: 7000, flags: ['badVin'] },
      { status: 'unknown', ageS: null },
      null,
    ]),
    NOW_MS,
  );
  expect(counts).toMatchObject({ units: 4, newestFixAtMs: NOW_MS - 20_000 });
  expect(Object.fromEntries(STATUSES.map((name, index) => [name, counts.byStatus[index]]))).toMatchObject({
    moving: 2,
    silent: 1,
    unknown: 1,
    late: 0,
  });
  expect(counts.byFlag[FLAGS.indexOf('badVin')]).toBe(2);
  expect(counts.byFlag[FLAGS.indexOf('clockFault')]).toBe(1);
  expect(counts.byFlag[FLAGS.indexOf('noPosition')]).toBe(0);
  expect(youngerThan(counts, 30)).toBe(1);
  expect(youngerThan(counts, 60)).toBe(2);
  expect(youngerThan(counts, 1800)).toBe(2);
  expect(youngerThan(counts, 7200)).toBe(3);
});

test('gives a fix from the future the age of zero', () => {
  expect(countFleet(toFleet([{ status: 'moving', ageS: -3600 }]), NOW_MS).newestFixAtMs).toBe(NOW_MS);
});

test('has no age where there is no fix', () => {
  expect(countFleet(toFleet([{ status: 'unknown', ageS: null }]), NOW_MS).newestFixAtMs).toBeNull();
  expect(countFleet(toFleet([]), NOW_MS)).toMatchObject({ units: 0, newestFixAtMs: null });
});
