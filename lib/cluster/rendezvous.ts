import { createHash } from 'node:crypto';

const weigh = (member: string, usdot: string): string =>
  createHash('sha1').update(`${member} ${usdot}`).digest('hex');

/**
 * The server that should own a fleet: the one with the greatest hash of both (rendezvous hashing), so that a server that
 * comes or goes moves only its own share. Null without servers.
 */
export const chooseOwner = (usdot: string, members: readonly string[]): string | null => {
  let [owner, greatest]: [string | null, string] = [null, ''];
  for (const member of members) {
    const weight = weigh(member, usdot);
    if (weight > greatest) [owner, greatest] = [member, weight];
  }
  return owner;
};
