import { describe, expect, it } from 'vitest';
import { withoutOverlaps } from './name-sheet';

const nameAt = (key: string, left: number) => ({
  key,
  covers: { left, top: 0, right: left + 50, bottom: 14 },
  paint: () => undefined,
});

describe('withoutOverlaps', () => {
  it('leaves out a name that would touch a more important one', () => {
    const names = [nameAt('Lakewood', 0), nameAt('I-25', 40), nameAt('Denver', 60)];
    expect(withoutOverlaps(names).map(({ key }) => key)).toEqual(['Lakewood', 'Denver']);
  });
});
