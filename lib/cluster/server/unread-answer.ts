import 'server-only';
import { encodeLive } from '@/lib/wire/server/encode';
import type { FeedAnswer } from '@/lib/wire/server/publisher';
import { createColumns } from '@/lib/wire/live';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { UNREAD_FEED } from '@/lib/wire/fleet';

/** Older than every version of a feed. */
const VERSION = '0.0';
const RETRY_MS = 1000;

/** A fleet without units, for a fleet that no server has published yet. */
export const createUnreadAnswer = (usdot: string, nowMs: number): FeedAnswer => {
  const problem = {
    kind: 'internal',
    message: 'The server that tracks this fleet has not answered yet.',
    detail: 'No server has published the fleet, or Redis cannot be reached.',
    sinceMs: nowMs,
  } as const;
  const feed = { ...UNREAD_FEED, staleSinceMs: nowMs, problem };
  const fleet = {
    usdot,
    version: VERSION,
    rows: 0,
    identities: [],
    columns: createColumns(0),
    feed,
    account: null,
  };
  const body = toLiveBytes(encodeLive(null, fleet, { nowMs, nextPollMs: RETRY_MS }));
  return { status: 200, body, encoding: null, version: VERSION };
};
