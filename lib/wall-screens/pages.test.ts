import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findPage, shareLines } from './pages';

it('each row of a list has its turn, in its order, and no page has room for more', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 30 }), (rows, lines) => {
      const shown = new Set<number>();
      for (let atMs = 0; atMs < Math.max(1, Math.ceil(rows / lines)) * 10_000; atMs += 10_000) {
        const { from, to } = findPage(rows, lines, atMs);
        expect(to - from).toBe(Math.min(rows, lines));
        for (let row = from; row < to; row++) shown.add(row);
      }
      expect([...shown]).toEqual(Array.from({ length: rows }, (_, row) => row));
    }),
  );
});

it('no line stays empty while a list has more rows, and both lists have some', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), fc.nat(60), fc.nat(60), (lines, alerts, trucks) => {
      const shared = shareLines(lines, alerts, trucks);
      const used = Math.min(shared.alerts, alerts) + Math.min(shared.trucks, trucks);
      expect(used).toBe(Math.min(lines, alerts + trucks));
      if (alerts > 0) expect(shared.alerts).toBeGreaterThan(0);
      if (trucks > 0) expect(shared.trucks).toBeGreaterThan(0);
    }),
  );
});
