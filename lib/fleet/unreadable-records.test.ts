import { expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { STATUSES } from '@/lib/motion/status';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { unitAt } from '@/testing/live/tracked-units';

const KEYS = ['A', 'B', 'C', 'D', 'E', 'F'];

/**
 * The units that are silent after each minute's answer, which has its units and a number of unreadable
 * records.
 */
const watch = (answers: readonly { keys: readonly string[]; unreadable: number }[]): string[][] => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, '9000001');
  return answers.map(({ keys, unreadable }, minute) => {
    const units = keys.map((key) => unitAt(key, minute, minute * 1500));
    tracker.observe(units, null, START_MS + minute * MINUTE_MS, unreadable);
    const { identities, columns } = tracker.copyRows();
    const silent = identities.filter((_, row) => STATUSES[columns.status[row]!] === 'silent');
    return silent.map((identity) => identity?.key ?? '');
  });
};

const all = { keys: KEYS, unreadable: 0 };

test('a unit that is missing has not left while it may be one of the unreadable records', () => {
  const four = { keys: KEYS.slice(0, 4), unreadable: 2 };
  expect(watch([all, four, four, four])).toEqual([[], [], [], []]);
});

test('units have left where more of them are missing than records are unreadable', () => {
  const three = { keys: KEYS.slice(0, 3), unreadable: 2 };
  expect(watch([all, three, three]).at(-1)).toEqual(['D', 'E', 'F']);
});

test('units have left once every record is readable again and they are not among them', () => {
  const four = { keys: KEYS.slice(0, 4), unreadable: 2 };
  expect(watch([all, four, { ...four, unreadable: 0 }, { ...four, unreadable: 0 }]).at(-1)).toEqual([
    'E',
    'F',
  ]);
});
