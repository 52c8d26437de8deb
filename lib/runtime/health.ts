import 'server-only';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { FeedState } from '@/lib/wire/fleet';
import type { Runtime } from './compose';

interface FleetHealth extends FeedState {
  usdot: string;
  /** How old the server's copy is; null before it has one. */
  ageMs: number | null;
  /** What of the provider's newest answer was left out or mended, with the first cases. */
  salvage: SalvageReport | null;
}

export interface Health {
  /** `degraded`: the server runs, and at least one fleet that it watches does not get through. */
  status: 'ok' | 'degraded';
  source: 'provider' | 'embedded';
  nowMs: number;
  uptimeMs: number;
  fleets: FleetHealth[];
}

/** How the server and its feeds fare. It tells nothing that a stranger may not know. */
export const readHealth = ({ env, fleets, now, startedAtMs }: Runtime): Health => {
  const nowMs = now();
  const watched = fleets.list().map(({ usdot, feed }): FleetHealth => {
    const state = feed.state();
    const ageMs = state.fetchedAtMs === null ? null : nowMs - state.fetchedAtMs;
    return { usdot, ...state, ageMs, salvage: feed.salvage() };
  });
  return {
    status: watched.some(({ problem }) => problem !== null) ? 'degraded' : 'ok',
    source: env.provider === null ? 'embedded' : 'provider',
    nowMs,
    uptimeMs: nowMs - startedAtMs,
    fleets: watched,
  };
};
