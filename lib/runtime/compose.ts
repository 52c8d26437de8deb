import 'server-only';
import type { Feeds } from '@/lib/live/feeds';
import type { TrackingClient } from '@/lib/tracking/client';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Roster } from '@/lib/wire/roster';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { Env } from './env';
import type { Log } from './log';
import { createMemory } from './memory';
import { readUnitAnswer } from './unit-answer';
import type { Upstream } from './upstream';
import { readVinCarrier } from './vin-carrier';
import { createWatchedFleets } from './watched-fleets';
import type { WatchedFleets } from './watched-fleets';

const MINUTE_MS = 60_000;
/** A carrier changes its name or a vehicle its carrier rarely; a roster when a truck is bought. */
const ACCOUNT_TTL_MS = 10 * MINUTE_MS;
const CARRIER_TTL_MS = 60 * MINUTE_MS;
const ROSTER_TTL_MS = 3 * MINUTE_MS;
/** Long enough to serve those who look at one unit together, too short to be seen. */
const UNIT_TTL_MS = 2000;
const REMEMBERED_CARRIERS = 5000;
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
  close: () => Promise<void>;
}

/** What is asked of the client, of the feeds, and remembered for how long. */
export const composeRuntime = (options: {
  env: Env;
  log: Log;
  upstream: Upstream;
  feeds: Feeds;
  now: () => number;
}): Runtime => {
  const { env, log, upstream, feeds, now } = options;
  const client: TrackingClient = upstream.client;
  const accounts = createMemory<CarrierAccount>({ ttlMs: ACCOUNT_TTL_MS, max: 1, now });
  const carriers = createMemory<VinCarrier>({ ttlMs: CARRIER_TTL_MS, max: REMEMBERED_CARRIERS, now });
  const rosters = createMemory<Roster>({ ttlMs: ROSTER_TTL_MS, max: MAX_FLEETS, now });
  const units = createMemory<UnitAnswer>({ ttlMs: UNIT_TTL_MS, max: REMEMBERED_UNITS, now });

  return {
    env,
    log,
    startedAtMs: now(),
    now,
    fleets: createWatchedFleets({ feeds, now, max: MAX_FLEETS, idleMs: FLEET_IDLE_MS }),
    readAccount: () => accounts.read('account', () => client.readAccount()),
    readVinCarrier: (vin) => carriers.read(vin, () => readVinCarrier(client, vin, now)),
    readRoster: (usdot) =>
      rosters.read(usdot, async () => {
        const { vins } = await client.readVins(usdot);
        return { usdot, vins, fetchedAtMs: now() };
      }),
    readUnit: (usdot, vin) => units.read(`${usdot}/${vin}`, () => readUnitAnswer(client, usdot, vin, now)),
    serveTracking: upstream.serve,
    close: async () => {
      feeds.close();
      await upstream.close();
    },
  };
};
