import { describe, expect, it } from 'vitest';
import { NO_POSITION } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/motion/status';
import { createFleet } from '@/testing/map/create-fleet';
import { badgeWidthPx, rankRows, toCountText } from './glyphs';

const status = (name: (typeof STATUSES)[number]) => ({ status: STATUSES.indexOf(name) });

describe('rankRows', () => {
  const fleet = createFleet([
    status('unknown'),
    status('stopped'),
    status('moving'),
    status('silent'),
    status('late'),
    { ...status('stopped'), flags: 4 },
    { ...status('moving'), latE5: NO_POSITION },
    // A unit that has left.
    { ...status('moving'), latE5: NO_POSITION },
  ]);

  it('ranks selected over flagged over late, silent, moving, stopped and unknown', () => {
    const ranks = new Uint8Array(10).fill(9);
    expect(rankRows(fleet, null, 1, ranks)).toBe(6);
    expect([...ranks]).toEqual([1, 7, 3, 4, 5, 6, 0, 0, 0, 0]);
  });

  it('hides what a filter leaves out, but never the selected unit', () => {
    const ranks = new Uint8Array(8);
    const visible = Uint8Array.of(0, 0, 1, 1, 0, 0, 1, 1);
    expect(rankRows(fleet, visible, 4, ranks)).toBe(3);
    expect([...ranks]).toEqual([0, 0, 3, 4, 7, 0, 0, 0]);
  });

  it('draws a status that it does not know', () => {
    const ranks = new Uint8Array(1);
    rankRows(createFleet([{ status: 42 }]), null, null, ranks);
    expect(ranks[0]).toBe(1);
  });
});

describe('toCountText', () => {
  it.each([
    [2, '2'],
    [999, '999'],
    [1000, '1k'],
    [1249, '1.2k'],
    [9949, '9.9k'],
    [9950, '10k'],
    [34_499, '34k'],
    [99_499, '99k'],
    [99_500, '0.1M'],
    [250_000, '0.3M'],
  ])('writes %i as %s', (count, text) => {
    expect(toCountText(count)).toBe(text);
  });
});

describe('badgeWidthPx', () => {
  it('is a circle for one digit and no wider than two glyphs lie apart for any count', () => {
    expect(badgeWidthPx('7')).toBe(15);
    for (const count of [10, 999, 1000, 9900, 88_000, 100_000]) {
      expect(badgeWidthPx(toCountText(count))).toBeLessThanOrEqual(30);
    }
  });
});
