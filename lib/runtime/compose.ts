import 'server-only';
import type { Feeds } from '@/lib/live/feeds';
import type { TrackingClient } from '@/lib/tracking/client';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Roster } from '@/lib/wire/roster';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { DatabaseState } from './database-watch';
import type { Env } from './env';
import type { Log } from './log';
import { createMemory } from './memory';
import { readUnitAnswer } from './unit-answer';
import type { Upstream } from './upstream';
import { readVinCarrier } from './vin-carrier';
import { createWatchedFleets } from './watched-fleets';
import type { WatchedFleets } from './watched-fleets';

const MINUTE_MS = 60_000;
/** A carrier changes its name rarely; a roster changes when a truck is bought. */
const ACCOUNT_TTL_MS = 10 * MINUTE_MS;
/** Who asks together shares one request; the feeds remember the answer for a day. */
const CARRIER_TTL_MS = 5000;
const ROSTER_TTL_MS = 3 * MINUTE_MS;
/** Long enough to serve those who look at one unit together, too short to be seen. */
const UNIT_TTL_MS = 2000;
const REMEMBERED_CARRIERS = 500;
const REMEMBERED_UNITS = 500;
/** Fleets that one server polls at once. */
export const MAX_FLEETS = 32;
/** Feeds stop polling after about a minute without a reader. */
const FLEET_IDLE_MS = 90_000;

/** What pages and routes may ask of the server. */
export interface Runtime {
  env: Env;
  log: Log;
  startedAtMs: number;
  now: () => number;
  fleets: WatchedFleets;
  readAccount: () => Promise<CarrierAccount>;
  readVinCarrier: (vin: string) => Promise<VinCarrier>;
  readRoster: (usdot: string) => Promise<Roster>;
  readUnit: (usdot: string, vin: string) => Promise<UnitAnswer>;
  serveTracking: (request: Request) => Promise<Response>;
  /** How the embedded service's database fares; null where a provider is read instead. */
  readDatabase: () => DatabaseState | null;
  close: () => Promise<void>;
}

/** What is asked of the client, of the feeds, and remembered for how long. */
export const composeRuntime = (options: {
  env: Env;
  log: Log;
  upstream: Upstream;
  feeds: Feeds;
  now: () => number;
  /** Milliseconds that went by, on a clock that nobody sets. */
  elapsed?: () => number;
}): Runtime => {
  const { env, log, upstream, feeds, now, elapsed = () => performance.now() } = options;
  const client: TrackingClient = upstream.client;
  const accounts = createMemory<CarrierAccount>({ ttlMs: ACCOUNT_TTL_MS, max: 1, elapsed });
  const carriers = createMemory<VinCarrier>({ ttlMs: CARRIER_TTL_MS, max: REMEMBERED_CARRIERS, elapsed });
  const rosters = createMemory<Roster>({ ttlMs: ROSTER_TTL_MS, max: MAX_FLEETS, elapsed });
  const units = createMemory<UnitAnswer>({ ttlMs: UNIT_TTL_MS, max: REMEMBERED_UNITS, elapsed });

  /** What the feeds know already, so that a unit's panel and its flag say the same; else it is asked for, and they are told. */
  const readCarrierOnce = async (vin: string): Promise<VinCarrier> => {
    // Without the thread of the feeds there is still the provider.
    const known = await feeds.knownCarrier(vin).catch(() => null);
    if (known !== null) return known;
    const carrier = await readVinCarrier(client, vin, now);
    feeds.learnCarrier(carrier);
    return carrier;
  };

  return {
    env,
    log,
    startedAtMs: now(),
    now,
    fleets: createWatchedFleets({ feeds, elapsed, max: MAX_FLEETS, idleMs: FLEET_IDLE_MS }),
    readAccount: () => accounts.read('account', () => client.readAccount()),
    readVinCarrier: (vin) => carriers.read(vin, () => readCarrierOnce(vin)),
    readRoster: (usdot) =>
      rosters.read(usdot, async () => {
        const { vins } = await client.readVins(usdot);
        return { usdot, vins, fetchedAtMs: now() };
      }),
    readUnit: (usdot, vin) => units.read(`${usdot}/${vin}`, () => readUnitAnswer(client, usdot, vin, now)),
    serveTracking: upstream.serve,
    readDatabase: upstream.readDatabase,
    close: async () => {
      feeds.close();
      await upstream.close();
    },
  };
};
