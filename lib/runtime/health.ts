import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { NotReadyReason } from '@/lib/wire/server-status';
import type { Runtime } from './compose';
import type { DatabaseState } from './database-watch';

interface FeedHealth {
  /** How old the server's copy of a fleet is; null before it has one. */
  ageMs: number | null;
  /** For how long it has not been renewed although it should; null while it is. */
  staleMs: number | null;
  problem: FeedProblem['kind'] | null;
}

export interface Health {
  /** Always so where an answer comes: a process that hangs gives none. */
  live: true;
  /** Whether requests should come here. A provider that fails does not count: the last good fleet is shown then. */
  ready: boolean;
  notReady: NotReadyReason[];
  /** `degraded`: the server runs, and its database or at least one fleet that it watches does not get through. */
  status: 'ok' | 'degraded';
  source: 'provider' | 'embedded';
  /** The embedded service's own; null where a provider is read. */
  database: DatabaseState | null;
  nowMs: number;
  uptimeMs: number;
  /** Of the fleets that are watched, the oldest copy first. */
  feeds: FeedHealth[];
}

/**
 * How the server and its feeds fare. A stranger may read it: it names no carrier, no unit, nothing that the provider
 * said and no version of anything.
 */
export const readHealth = ({
  env,
  fleets,
  now,
  readUptimeMs,
  readNotReady,
  readDatabase,
}: Runtime): Health => {
  const nowMs = now();
  const feeds = fleets.list().map(({ feed }): FeedHealth => {
    const { fetchedAtMs, staleSinceMs, problem } = feed.state();
    return {
      ageMs: fetchedAtMs === null ? null : Math.max(0, nowMs - fetchedAtMs),
      staleMs: staleSinceMs === null ? null : Math.max(0, nowMs - staleSinceMs),
      problem: problem?.kind ?? null,
    };
  });
  const database = readDatabase();
  const isDatabaseWell = database === null || database.state === 'ok' || database.state === 'unknown';
  const notReady = readNotReady();
  return {
    live: true,
    ready: notReady.length === 0,
    notReady,
    status: isDatabaseWell && feeds.every(({ problem }) => problem === null) ? 'ok' : 'degraded',
    source: env.provider === null ? 'embedded' : 'provider',
    database,
    nowMs,
    uptimeMs: readUptimeMs(),
    feeds: feeds.sort((a, b) => (b.ageMs ?? Infinity) - (a.ageMs ?? Infinity)),
  };
};
