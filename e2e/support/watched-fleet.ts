import { setTimeout as sleep } from 'node:timers/promises';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import type { Fleet } from '@/lib/wire/fleet';
import { toLatE5, VINS } from './moving-provider';
import type { Server } from './servers';

const EVERY_MS = 100;
/** A server that is paused accepts connections and does not answer. */
const WITHIN_MS = 1000;
/** The length of the time that an epoch begins with (lib/wire/server/publisher.ts). */
const TIME_CHARACTERS = 8;

const isOlder = (version: string, held: string): boolean => {
  const [epoch = '', n] = version.split('.');
  const [heldEpoch = '', heldN] = held.split('.');
  if (epoch === heldEpoch) return Number(n) < Number(heldN);
  return epoch.slice(0, TIME_CHARACTERS) < heldEpoch.slice(0, TIME_CHARACTERS);
};

/**
 * A browser that asks another server with each poll. `faults` has each frame that is wrong: an older version than the one
 * before, an older position, or one that a truck never had.
 */
export const watchFleet = (servers: readonly Server[], usdot: string, cookie: string) => {
  const faults: string[] = [];
  const seenFixS = new Map<string, number>();
  let held: Fleet | null = null;
  let polls = 0;
  let refused = 0;
  let isStopped = false;

  const check = (next: Fleet): void => {
    if (held !== null && isOlder(next.version, held.version))
      faults.push(`version ${next.version} after ${held.version}`);
    next.identities.forEach((identity, row) => {
      const truck = VINS.indexOf(identity?.vin ?? '');
      if (truck < 0) return;
      const fixS = next.columns.fixAtS[row]!;
      const latE5 = next.columns.latE5[row]!;
      if (fixS < (seenFixS.get(identity!.vin!) ?? 0)) faults.push(`${identity!.vin} goes back to ${fixS}`);
      if (latE5 !== toLatE5(truck, fixS)) faults.push(`${identity!.vin} is at ${latE5} at ${fixS}`);
      seenFixS.set(identity!.vin!, fixS);
    });
    held = next;
  };

  const poll = async ({ url }: Server): Promise<void> => {
    const since = held === null ? '' : `?since=${held.version}`;
    let response: Response;
    let bytes: ArrayBuffer;
    try {
      const signal = AbortSignal.timeout(WITHIN_MS);
      response = await fetch(`${url}/api/fleets/${usdot}/live${since}`, { headers: { cookie }, signal });
      bytes = await response.arrayBuffer();
    } catch {
      // The server is away: a browser asks the next one.
      refused++;
      return;
    }
    if (response.status === 304) return;
    if (response.status !== 200) return void faults.push(`status ${response.status} of ${url}`);
    const answer = fromLiveBytes(new Uint8Array(bytes));
    // Until a server has the first answer of the provider.
    if (answer.version === '0.0') return;
    check(applyLiveAnswer(held, answer));
  };

  const ended = (async () => {
    while (!isStopped) {
      await poll(servers[polls++ % servers.length]!);
      await sleep(EVERY_MS);
    }
  })();
  return {
    faults,
    polls: () => polls,
    refused: () => refused,
    fixS: () => Math.max(0, ...seenFixS.values()),
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
};
