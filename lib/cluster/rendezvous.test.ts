import { expect, it } from 'vitest';
import { chooseOwner } from './rendezvous';

const FLEETS = Array.from({ length: 300 }, (_, i) => String(1_000_000 + i));
const ownersOf = (members: string[]) => FLEETS.map((usdot) => chooseOwner(usdot, members));

it('gives each of three servers about a third of the fleets', () => {
  const owners = ownersOf(['a', 'b', 'c']);
  for (const member of ['a', 'b', 'c']) {
    const share = owners.filter((owner) => owner === member).length;
    expect(share).toBeGreaterThan(70);
    expect(share).toBeLessThan(130);
  }
});

it('moves only the fleets of a server that leaves', () => {
  const before = ownersOf(['a', 'b', 'c']);
  const after = ownersOf(['c', 'a']);
  for (const [index, owner] of before.entries()) if (owner !== 'b') expect(after[index]).toBe(owner);
});

it('gives no fleet to no server', () => {
  expect(chooseOwner('1000000', [])).toBeNull();
});
