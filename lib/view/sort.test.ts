import { describe, expect, it } from 'vitest';
import { SORT_ORDERS, holdOrder, sortRows } from './sort';
import { createTestFleet } from '@/testing/view/fleet';
import type { Fleet } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import { shortestMs } from '@/testing/processor-time';

const NOW_S = 1_790_000_000;
const names = (fleet: ReturnType<typeof createTestFleet>, rows: Int32Array) =>
  Array.from(rows, (row) => fleet.identities[row]!.truckNumber);
const all = (fleet: ReturnType<typeof createTestFleet>) =>
  Int32Array.from(fleet.identities.flatMap((unit, row) => (unit ? [row] : [])));

describe('sort orders', () => {
  it('puts units that need a call first, the longest-lasting ones at the top', () => {
    const fleet = createTestFleet([
      { truckNumber: 'parked', status: 'stopped', sinceS: NOW_S - 9000 },
      { truckNumber: 'moving', status: 'moving' },
      { truckNumber: 'never', status: 'silent', reason: 'neverSeen' },
      { truckNumber: 'late since', status: 'late', sinceS: NOW_S - 200 },
      { truckNumber: 'flagged', status: 'moving', flags: ['badVin'] },
      { truckNumber: 'late long', status: 'late', sinceS: NOW_S - 900 },
      { truckNumber: 'one fix', status: 'unknown' },
      { truckNumber: 'vanished', status: 'silent', reason: 'vanishedMoving', sinceS: NOW_S - 60 },
      { truckNumber: 'quiet', status: 'silent', reason: 'quiet', sinceS: NOW_S - 60 },
    ]);
    expect(names(fleet, sortRows(fleet, all(fleet), 'attention'))).toEqual([
      'vanished',
      'late long',
      'late since',
      'flagged',
      'quiet',
      'one fix',
      'moving',
      'parked',
      'never',
    ]);
  });

  it('puts units in the order of the names of their sites, and those at none last', () => {
    const fleet = createTestFleet([
      { truckNumber: '1' },
      { truckNumber: '2', siteId: 5 },
      { truckNumber: '3', siteId: 9 },
      { truckNumber: '4', siteId: 5 },
    ]);
    const ranks = new Map([
      [5, 2],
      [9, 1],
    ]);
    expect(names(fleet, sortRows(fleet, all(fleet), 'site', { names: new Map(), ranks }))).toEqual([
      '3',
      '2',
      '4',
      '1',
    ]);
    expect(names(fleet, sortRows(fleet, all(fleet), 'site'))).toEqual(['2', '4', '3', '1']);
  });

  it('puts a few of many units in the same order as all of them', () => {
    const fleet = createTestFleet(
      Array.from({ length: 400 }, (_, n) => ({
        truckNumber: String((n * 37) % 400),
        status: STATUSES[n % STATUSES.length]!,
        sinceS: n % 3 === 0 ? 0 : NOW_S - ((n * 53) % 400),
        fixAtS: NOW_S - ((n * 71) % 400),
        ...(n % 11 === 0 ? { flags: ['badVin'] as const } : {}),
      })),
    );
    const few = Int32Array.from({ length: 25 }, (_, n) => n * 16);
    for (const order of SORT_ORDERS) {
      const inOrder = sortRows(fleet, all(fleet), order).filter((row) => few.includes(row));
      expect([...sortRows(fleet, few, order)], order).toEqual([...inOrder]);
    }
  });

  it('sorts truck numbers in natural order', () => {
    const fleet = createTestFleet(
      ['10', '9', 'T-10', '081', 't-2b', '100'].map((truckNumber) => ({ truckNumber })),
    );
    expect(names(fleet, sortRows(fleet, all(fleet), 'truck'))).toEqual([
      '9',
      '10',
      '081',
      '100',
      't-2b',
      'T-10',
    ]);
  });

  it('sorts by parked time, fix and speed, with units without a value at the end by truck number', () => {
    const fleet = createTestFleet([
      { truckNumber: '1', status: 'moving', speedKph: 80, fixAtS: NOW_S - 5 },
      { truckNumber: '2', status: 'stopped', sinceS: NOW_S - 100, fixAtS: NOW_S - 50 },
      { truckNumber: '3', status: 'stopped', sinceS: NOW_S - 900, fixAtS: NOW_S - 90 },
      { truckNumber: '4', status: 'moving', speedKph: 100, fixAtS: NOW_S - 15 },
      { truckNumber: '5', status: 'unknown', reason: 'noFix' },
    ]);
    const by = (order: Parameters<typeof sortRows>[2]) => names(fleet, sortRows(fleet, all(fleet), order));
    expect(by('parked')).toEqual(['3', '2', '1', '4', '5']);
    expect(by('newest')).toEqual(['1', '4', '2', '3', '5']);
    expect(by('oldest')).toEqual(['3', '2', '4', '1', '5']);
    expect(by('fastest')).toEqual(['4', '1', '2', '3', '5']);
  });

  it('keeps the order of equal rows when a poll moves them', () => {
    const fleet = createTestFleet(
      Array.from({ length: 50 }, (_, n) => ({ truckNumber: String(n), speedKph: 60 + n, lat: 1 })),
    );
    const before = sortRows(fleet, all(fleet), 'attention');
    fleet.columns.latE5.fill(4_000_000);
    fleet.columns.speedKph.fill(77);
    expect(sortRows(fleet, all(fleet), 'attention')).toEqual(before);
  });

  it('merges in a unit that joins and one that is renamed, and drops one that left', () => {
    const fleet = createTestFleet([{ truckNumber: '5' }, { truckNumber: '1' }, { truckNumber: '3' }, null]);
    expect(names(fleet, sortRows(fleet, Int32Array.of(0, 1, 2), 'truck'))).toEqual(['1', '3', '5']);
    const [five, one] = fleet.identities;
    const identities = [
      five!,
      { ...one!, truckNumber: '9' },
      null,
      { ...five!, key: 'new', truckNumber: '2' },
    ];
    const next = { ...fleet, identities };
    expect(names(next, sortRows(next, Int32Array.of(0, 1, 3), 'truck'))).toEqual(['2', '5', '9']);
    expect(names(fleet, sortRows(fleet, Int32Array.of(0, 1, 2), 'truck'))).toEqual(['1', '3', '5']);
  });

  it('keeps apart the orders of two fleets', () => {
    const [large, small] = [
      ['3', '1', '2'],
      ['9', '8'],
    ].map((numbers) => createTestFleet(numbers.map((truckNumber) => ({ truckNumber })))) as [Fleet, Fleet];
    const read = (fleet: Fleet) => names(fleet, sortRows(fleet, all(fleet), 'truck'));
    for (let times = 0; times < 2; times++) {
      expect(read(large)).toEqual(['1', '2', '3']);
      expect(read(small)).toEqual(['8', '9']);
    }
    const joined = { ...large, rows: 4, identities: [...large.identities, small.identities[0]!] };
    expect(read(joined)).toEqual(['1', '2', '3', '9']);
  });

  it('sorts 100,000 rows without sorting their names again', () => {
    const fleet = createTestFleet(
      Array.from({ length: 100_000 }, (_, n) => ({
        truckNumber: String((n * 7919) % 100_000),
        speedKph: n % 120,
      })),
    );
    const rows = all(fleet);
    sortRows(fleet, rows, 'attention');
    expect(shortestMs(() => sortRows(fleet, rows, 'fastest'))).toBeLessThan(500);
  });
});

describe('holdOrder', () => {
  it('keeps existing rows in place, drops those that left and puts new ones last', () => {
    const hold = (before: number[], next: number[]) => [
      ...holdOrder(Int32Array.from(before), Int32Array.from(next)),
    ];
    expect(hold([3, 1, 2], [9, 1, 2, 3])).toEqual([3, 1, 2, 9]);
    expect(hold([3, 1, 2], [2, 3])).toEqual([3, 2]);
    expect(hold([7, 3], [])).toEqual([]);
    expect(hold([], [2, 3])).toEqual([2, 3]);
  });
});
