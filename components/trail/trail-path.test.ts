import { expect, it } from 'vitest';
import { toDay } from '@/lib/trips/trips';
import { toEntryText } from '@/lib/past/text';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { toTrailPath } from './trail-path';

const atMs = (minute: number): number => START_MS + minute * MINUTE_MS;

it('draws a gap that is too short for an entry of its own, and its trip says why', () => {
  const minutes = Array.from({ length: 61 }, (_, minute) => minute).filter(
    (each) => each <= 20 || each >= 24,
  );
  const fixes = minutes.map((each) => ({ ...fixAt(each, each * METERS_PER_MILE), isByReceipt: false }));
  const coverage = (from: number, to: number, state: 'answered' | 'notRunning') => ({
    ...{ fromMs: atMs(from), toMs: atMs(to), state, problem: null },
  });
  const covered = [
    coverage(-120, 20, 'answered'),
    coverage(20, 23.9, 'notRunning'),
    coverage(23.9, 90, 'answered'),
  ];
  const range = { fromMs: atMs(0), toMs: atMs(60), nowMs: atMs(90), coverage: covered };
  const day = toDay({ fixes, ...range }, DEFAULT_MOTION_SETTINGS);
  expect(day.entries.map(({ kind }) => kind)).toEqual(['trip']);
  const path = toTrailPath(day);
  expect(path.gaps.map(({ text }) => text)).toEqual(['Linehaul was not running for 4 min']);
  const [gap] = path.gaps;
  const [before, after] = [20, 24].map((minute) => minutes.indexOf(minute));
  expect([gap!.from.y, gap!.to.y]).toEqual([path.y[before!], path.y[after!]]);
  expect(path.isDriven[after!]).toBe(0);
  const { notes } = toEntryText(day.entries[0]!, null, String);
  expect(notes).toContain('Linehaul was not running for 4 min');
  expect(notes).toContain('4.0 mi bridged by a straight line');
});
