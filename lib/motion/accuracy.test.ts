import { describe, expect, test } from 'vitest';
import { toCoarseM } from './accuracy';
import { NO_MOTION } from './motion-state';
import { observeFix } from './observe';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { createRandom, fixAt, observeAll } from '@/testing/motion/fixes';
import type { Fix } from './track';

/** A parked truck whose receiver is off by up to `byM` each way, with one fix each `everyMin`. */
const wandering = (byM: number, everyMin: number, fixes: number, fromMin = 0, seed = 6) => {
  const random = createRandom(seed);
  return Array.from({ length: fixes }, (_, i) => {
    const fix = fixAt(fromMin + i * everyMin, (random() * 2 - 1) * byM);
    return { ...fix, lng: fix.lng + ((random() * 2 - 1) * byM) / 91_000 };
  });
};
const rounded = (fix: Fix, decimals: number): Fix => ({
  ...fix,
  lat: Number(fix.lat.toFixed(decimals)),
  lng: Number(fix.lng.toFixed(decimals)),
});
const phasesOf = (fixes: readonly Fix[]) => {
  let state = NO_MOTION;
  return fixes.map((fix) => (state = observeFix(state, fix, fix.fixAtMs, settings)).phase);
};

describe('positions that are coarse or wander', () => {
  test.each([
    [1 / 6, 300],
    [1, 600],
    [10, 60],
  ])(
    'never sets a parked truck in motion whose receiver wanders by ±90 m, each %d min',
    (everyMin, fixes) => {
      for (let seed = 1; seed < 30; seed++) {
        const phases = phasesOf(wandering(90, everyMin, fixes, 0, seed));
        expect(phases).not.toContain('moving');
        const settled = Math.ceil(6 / everyMin);
        expect(new Set(phases.slice(settled))).toEqual(new Set(['stopped']));
      }
    },
  );

  test('learns how far a receiver wanders once the unit stands, and sees it leave', () => {
    const parked = observeAll(wandering(90, 1, 60));
    expect(toCoarseM(parked, settings)).toBeGreaterThan(75);
    expect(toCoarseM(parked, settings)).toBeLessThan(120);
    const left = observeAll([fixAt(60, 900), fixAt(61, 1900)], settings, parked);
    expect(left.phase).toBe('moving');
    expect(toCoarseM(observeAll([0, 1, 2, 3, 4, 5].map((i) => fixAt(i, i % 2))), settings)).toBe(0);
  });

  test('stops a truck that arrives with a wandering receiver', () => {
    const driving = Array.from({ length: 10 }, (_, i) => fixAt(i, i * 1200 - 10_800));
    const phases = phasesOf([...driving, ...wandering(90, 1, 30, 10)]);
    expect(phases.slice(2, 10)).toEqual(Array(8).fill('moving'));
    expect(phases.slice(17)).toEqual(Array(23).fill('stopped'));
  });

  test('keeps a truck moving whose coordinates have two decimals, and derives its speed within a third', () => {
    let state = NO_MOTION;
    for (let minutes = 0; minutes < 120; minutes++) {
      state = observeFix(
        state,
        rounded(fixAt(minutes, minutes * 1000), 2),
        fixAt(minutes, 0).fixAtMs,
        settings,
      );
      if (minutes < 3) continue;
      expect(state.phase).toBe('moving');
      expect(Math.abs(state.leg!.speedKph - 60)).toBeLessThan(20);
    }
    expect(Math.round(toCoarseM(state, settings))).toBe(1112);
  });

  test('calls a truck with two decimals stopped after ten minutes in one square, and never moving after five', () => {
    const driving = Array.from({ length: 10 }, (_, i) => rounded(fixAt(i, i * 1500), 2));
    const parked = Array.from({ length: 20 }, (_, i) => rounded(fixAt(10 + i, 15_000), 2));
    const phases = phasesOf([...driving, ...parked]);
    expect(phases.slice(3, 13)).toEqual(Array(10).fill('moving'));
    expect(phases.slice(15, 20)).toEqual(Array(5).fill('unclear'));
    expect(phases.slice(20)).toEqual(Array(10).fill('stopped'));
  });

  test('shows no truck with two decimals as moving for five minutes in one square, though a poll misses its first fix there', () => {
    const seconds = [-907, -787, -667, -547, -428, -280, -161, 0];
    const fixes = seconds.map((each, i) => rounded(fixAt(each / 60, Math.min(i, 5) * 2224), 2));
    const missed = rounded(fixAt(-308 / 60, 5 * 2224), 2);
    expect(observeAll(fixes).phase).not.toBe('moving');
    expect(observeAll([...fixes.slice(0, 5), missed, ...fixes.slice(5)]).phase).not.toBe('moving');
  });

  test('takes no step from one square to the next for an impossible jump or for motion', () => {
    const edge = Array.from({ length: 200 }, (_, i) => ({
      ...fixAt(i / 6, 0),
      lat: i % 3 ? 35.01 : 35.02,
      lng: -101.84,
    }));
    const phases = phasesOf(edge);
    expect(phases).not.toContain('moving');
    expect(phases.slice(120)).not.toContain('unclear');
    expect(observeAll(edge).unconfirmed).toBeNull();
  });

  test('takes no repeated square for a frozen position', () => {
    const driving = Array.from({ length: 12 }, (_, i) => rounded(fixAt(i, i * 2224), 2));
    const held = Array.from({ length: 8 }, (_, i) => rounded(fixAt(12 + i, 11 * 2224), 2));
    expect(observeAll([...driving, ...held]).frozen).toBeNull();
  });

  test('follows a unit whose positions become coarse, and fine again', () => {
    const fine = Array.from({ length: 10 }, (_, i) => fixAt(i, i * 1537.3));
    const coarse = Array.from({ length: 10 }, (_, i) => rounded(fixAt(10 + i, (10 + i) * 1537.3), 2));
    const offs = [...fine, ...coarse, fixAt(20, 20 * 1537.3)].map((_, i, all) =>
      toCoarseM(observeAll(all.slice(0, i + 1)), settings),
    );
    expect(offs[9]).toBe(0);
    expect(offs[19]).toBe(1112);
    expect(offs[20]).toBe(0);
  });
});
