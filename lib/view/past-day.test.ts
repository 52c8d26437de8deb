import { expect, it } from 'vitest';
import { addDays, onDate, toDateText, toDay, toGaps, toHours } from './past-day';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const DAY = { fromMs: 0, toMs: 24 * HOUR_MS };
const at = (fromHour: number, toHour: number, problem: string | null = null) => ({
  fromMs: fromHour * HOUR_MS,
  toMs: toHour * HOUR_MS,
  problem,
});

it('finds the day of a moment, and the same time on another one', () => {
  const noon = new Date(2026, 10, 17, 12, 30).getTime();
  expect(toDay(noon)).toEqual({
    fromMs: new Date(2026, 10, 17).getTime(),
    toMs: new Date(2026, 10, 18).getTime(),
  });
  expect(toDay(noon, 1).fromMs).toBe(toDay(noon).toMs);
  expect(addDays(noon, -1)).toBe(new Date(2026, 10, 16, 12, 30).getTime());
  expect(toDateText(noon)).toBe('2026-11-17');
  expect(onDate(noon, '2026-10-01')).toBe(new Date(2026, 9, 1, 12, 30).getTime());
  expect(onDate(noon, '')).toBeNull();
});

it('labels a day every few hours', () => {
  const day = toDay(new Date(2026, 10, 17, 12).getTime());
  expect(toHours(day, 6).map((ms) => new Date(ms).getHours())).toEqual([0, 6, 12, 18]);
});

it('names each time without an answer by why there is none', () => {
  const coverage = [
    { ...at(6, 8), state: 'answered' as const },
    { ...at(8, 8.5, 'timeout'), state: 'failing' as const },
    { ...at(8.5, 9, 'database'), state: 'failing' as const },
    { ...at(9, 10), state: 'answered' as const },
    { ...at(10, 11), state: 'notRunning' as const },
    { ...at(11, 12), state: 'answered' as const },
  ];
  expect(toGaps(coverage, DAY, 12 * HOUR_MS)).toEqual([
    { ...at(0, 6), state: 'none' },
    { ...at(8, 8.5, 'timeout'), state: 'failing' },
    { ...at(8.5, 9, 'database'), state: 'failing' },
    { ...at(10, 11), state: 'notRunning' },
  ]);
});

it('takes what another server answered for recorded', () => {
  const coverage = [
    { ...at(0, 12), state: 'answered' as const },
    { ...at(2, 4), state: 'failing' as const },
    { ...at(3, 14), state: 'answered' as const },
  ];
  expect(toGaps(coverage, DAY, 14 * HOUR_MS)).toEqual([]);
});

it('counts neither the time between two polls nor the future', () => {
  const coverage = [{ ...at(0, 12), state: 'answered' as const }];
  expect(toGaps(coverage, DAY, 12 * HOUR_MS + MINUTE_MS)).toEqual([]);
  expect(toGaps(coverage, DAY, 13 * HOUR_MS)).toEqual([{ ...at(12, 13), state: 'none' }]);
  expect(toGaps([], DAY, DAY.toMs)).toEqual([{ ...at(0, 24), state: 'none' }]);
});
