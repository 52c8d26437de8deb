import { expect, test } from 'vitest';
import { extendTrack } from './use-growing-trail';

const at = (fixAtMs: number) => ({ lat: 35, lng: -101, fixAtMs });

test('a track goes on with the fixes that are newer than its own', () => {
  const track = [at(1), at(2)];
  expect(extendTrack(track, [at(2), at(3)])).toEqual([at(1), at(2), at(3)]);
  expect(extendTrack([], track)).toEqual(track);
  expect(extendTrack(track, [at(2)])).toBe(track);
});
