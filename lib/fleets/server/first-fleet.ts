import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '@/lib/base/viewer';
import { isAppError } from '@/lib/base/http/problems';
import type { Clock } from '@/lib/base/clock';
import type { Log } from '@/lib/base/log';
import type { WatchedFleets } from '@/lib/feeds/watched-fleets';
import { applyLiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import type { Fleet } from '@/lib/wire/fleet';
import { getOrMake } from '@/lib/base/maps';

/** A page does not wait longer for its first numbers: without them the browser shows placeholders. */
const WAIT_MS = 1000;
/** A larger answer takes the main thread too long to decode: some 30,000 units. */
const MOST_BYTES = 2_000_000;
/** Older data is shown with its time, in the browser's time zone, which the server does not know. */
const FRESH_MS = 20_000;

const decoded = new LRUCache<string, Fleet>({ max: 4 });

const isFresh = ({ feed }: Fleet, nowMs: number): boolean =>
  feed.staleSinceMs === null && feed.problem === null && nowMs - (feed.fetchedAtMs ?? 0) < FRESH_MS;

/** A fleet's newest snapshot and the time, for the HTML of its pages; null where it is not there at once, or not fresh. */
export const readFirstFleet = async (
  { fleets, clock, log }: { fleets: Pick<WatchedFleets, 'feed'>; clock: Clock; log: Log },
  viewer: Viewer,
  usdot: string,
): Promise<{ fleet: Fleet; nowMs: number } | null> => {
  try {
    // Not compressed, because the page would wait for that.
    const pending = fleets.feed(usdot, viewer).answer(null, 'identity');
    const answer = await Promise.race([pending, delay(WAIT_MS, null)]);
    if (answer?.body == null || answer.body.length > MOST_BYTES) return null;
    const key = `${usdot} ${answer.version}`;
    const { body } = answer;
    const fleet = getOrMake(decoded, key, () => applyLiveAnswer(null, fromLiveBytes(body)));
    const nowMs = clock.nowMs();
    return isFresh(fleet, nowMs) ? { fleet, nowMs } : null;
  } catch (error) {
    // The live answer brings the same refusal to the screen.
    if (!isAppError(error)) log.warn({ err: error }, 'A page is sent without the first rows of its fleet.');
    return null;
  }
};
