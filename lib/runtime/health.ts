import 'server-only';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { FeedState } from '@/lib/wire/fleet';
import type { Runtime } from './compose';
import type { DatabaseState } from './database-watch';

interface FleetHealth extends FeedState {
  usdot: string;
  /** How old the server's copy is; null before it has one. */
  ageMs: number | null;
  /** What of the provider's newest answer was left out or mended, with the first cases. */
  salvage: SalvageReport | null;
}

export interface Health {
  /** `degraded`: the server runs, and its database or at least one fleet that it watches does not get through. */
  status: 'ok' | 'degraded';
  source: 'provider' | 'embedded';
  /** The embedded service's own; null where a provider is read. */
  database: DatabaseState | null;
  nowMs: number;
  uptimeMs: number;
  fleets: FleetHealth[];
}

/** How the server and its feeds fare. It tells nothing that a stranger may not know. */
export const readHealth = ({ env, fleets, now, startedAtMs, readDatabase }: Runtime): Health => {
  const nowMs = now();
  const watched = fleets.list().map(({ usdot, feed }): FleetHealth => {
    const state = feed.state();
    const ageMs = state.fetchedAtMs === null ? null : Math.max(0, nowMs - state.fetchedAtMs);
    return { usdot, ...state, ageMs, salvage: feed.salvage() };
  });
  const database = readDatabase();
  const isDatabaseWell = database === null || database.state === 'ok' || database.state === 'unknown';
  return {
    status: isDatabaseWell && watched.every(({ problem }) => problem === null) ? 'ok' : 'degraded',
    source: env.provider === null ? 'embedded' : 'provider',
    database,
    nowMs,
    uptimeMs: nowMs - startedAtMs,
    fleets: watched,
  };
};
