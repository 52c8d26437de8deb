import { createHash } from 'node:crypto';

/** A server gets at most this much more than an even share. */
const MOST_OF_SHARE = 1.25;

const weigh = (member: string, usdot: string): string =>
  createHash('sha1').update(`${member} ${usdot}`).digest('hex');

/** The servers in the order in which they should own a fleet: by the hash of both (rendezvous hashing). */
const rank = (usdot: string, members: readonly string[]): string[] =>
  members
    .map((member) => ({ member, weight: weigh(member, usdot) }))
    .sort((a, b) => (a.weight < b.weight ? 1 : -1))
    .map(({ member }) => member);

/** The owner of each fleet: the first of its ranking with room, so that a server that comes or goes moves little. */
export const assignOwners = (usdots: readonly string[], members: readonly string[]): Map<string, string> => {
  const most = Math.ceil((usdots.length / members.length) * MOST_OF_SHARE);
  const counts = new Map<string, number>();
  const owners = new Map<string, string>();
  for (const usdot of [...usdots].sort()) {
    const owner = rank(usdot, members).find((member) => (counts.get(member) ?? 0) < most);
    if (owner === undefined) continue;
    owners.set(usdot, owner);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return owners;
};
