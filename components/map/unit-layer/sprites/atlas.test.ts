import { describe, expect, it } from 'vitest';
import { STATUSES } from '@/lib/motion/status';
import { SPRITE_COUNT, spriteIndex, toSpriteKind } from './atlas';

describe('spriteIndex', () => {
  it('names each sprite once', () => {
    const seen = new Set<number>();
    for (let index = 0; index < SPRITE_COUNT; index++) {
      const { status, headingDeg, flagged } = toSpriteKind(index);
      expect(spriteIndex(STATUSES.indexOf(status), headingDeg ?? -1, flagged)).toBe(index);
      seen.add(index);
    }
    expect(seen.size).toBe(SPRITE_COUNT);
  });

  it('draws a heading to within three degrees, around north too', () => {
    for (let headingDeg = 0; headingDeg < 360; headingDeg++) {
      const drawn = toSpriteKind(spriteIndex(0, headingDeg, false)).headingDeg!;
      const off = Math.abs(((drawn - headingDeg + 540) % 360) - 180);
      expect(off).toBeLessThan(3);
    }
  });

  it('draws an unrecognized status as unknown', () => {
    expect(toSpriteKind(spriteIndex(17, -1, true))).toEqual({
      status: 'unknown',
      headingDeg: null,
      flagged: true,
    });
  });
});
