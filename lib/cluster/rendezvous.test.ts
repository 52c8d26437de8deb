import { expect, it } from 'vitest';
import { assignOwners } from './rendezvous';

const FLEETS = Array.from({ length: 300 }, (_, i) => String(1_000_000 + i));

it.each([
  [FLEETS, 125],
  [FLEETS.slice(0, 6), 3],
])('gives no server much more than its share', (fleets, most) => {
  const owners = [...assignOwners(fleets, ['a', 'b', 'c']).values()];
  expect(owners).toHaveLength(fleets.length);
  for (const member of ['a', 'b', 'c'])
    expect(owners.filter((owner) => owner === member).length).toBeLessThanOrEqual(most);
});

it('moves few fleets but those of a server that leaves, in whatever order the servers are', () => {
  const before = assignOwners(FLEETS, ['a', 'b', 'c']);
  const after = assignOwners([...FLEETS].reverse(), ['c', 'a']);
  const left = FLEETS.filter((usdot) => before.get(usdot) !== 'b');
  const moved = left.filter((usdot) => before.get(usdot) !== after.get(usdot));
  expect(moved.length).toBeLessThan(left.length / 10);
});

it('gives no fleet to no server', () => {
  expect(assignOwners(FLEETS, []).size).toBe(0);
});
