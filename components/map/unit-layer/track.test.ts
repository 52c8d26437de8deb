import { describe, expect, it } from 'vitest';
import { createTrack, fixesBehind } from './track';
import { MINUTE_MS } from '@/lib/base/time';

const fix = (minute: number) => ({ lat: 35, lng: -101 + minute / 100, fixAtMs: minute * MINUTE_MS });

describe('createTrack', () => {
  it('marks a gap where no fix came for more than ten minutes', () => {
    expect(createTrack([fix(0), fix(5), fix(15), fix(40)]).isGap).toEqual([false, false, false, true]);
  });
});

describe('fixesBehind', () => {
  const track = createTrack([fix(0), fix(1), fix(2)]);

  it('leaves out the newest fix, which the glyph is still on its way to', () => {
    expect(fixesBehind(track, 2 * MINUTE_MS)).toBe(2);
  });

  it('keeps all of a track that is older than the fleet', () => {
    expect(fixesBehind(track, 3 * MINUTE_MS)).toBe(3);
  });

  it('leaves out what is newer than the fleet', () => {
    expect(fixesBehind(track, 1 * MINUTE_MS)).toBe(1);
  });
});
