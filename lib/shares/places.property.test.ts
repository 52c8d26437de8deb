import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PLACE_BITS, estimatePlaces, toPlace } from './places';

it('counts networks about right up to some thousands', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), fc.string(), (count, seed) => {
      const bits = new Set<number>();
      for (let i = 0; i < count; i++)
        bits.add(createHash('sha256').update(`${seed} ${i}`).digest().readUInt32BE(0) % PLACE_BITS);
      const text = Array.from({ length: PLACE_BITS }, (_, bit) => (bits.has(bit) ? '1' : '0')).join('');
      const estimated = estimatePlaces(text);
      expect(Math.abs(estimated - count)).toBeLessThanOrEqual(3 + 0.25 * count);
    }),
    { numRuns: 40 },
  );
});

it('a place is a network of IPv4 by 24 bits, and of IPv6 by 48', () => {
  expect(toPlace('203.0.113.7')).toBe('203.0.113');
  expect(toPlace('2001:db8:12:34::/64')).toBe('2001:db8:12');
  expect(toPlace('2001:db8::1')).toBe('2001:db8:0');
  expect(toPlace('unknown')).toBe('unknown');
});
