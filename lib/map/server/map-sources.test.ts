import { expect, it } from 'vitest';
import { requireTile } from './map-sources';

it('reads the numbers of a tile of the world', () => {
  expect(requireTile({ z: '14', x: '3412', y: '6220' })).toEqual({ z: 14, x: 3412, y: 6220 });
});

it.each([
  ['1', '2', '0'],
  ['1', '0', '2'],
  ['23', '0', '0'],
  ['-1', '0', '0'],
  ['1e1', '0', '0'],
  ['', '0', '0'],
  ['5', '0.5', '0'],
])('refuses %s/%s/%s', (z, x, y) => {
  expect(() => requireTile({ z, x, y })).toThrow(expect.objectContaining({ code: 'malformed-address' }));
});
