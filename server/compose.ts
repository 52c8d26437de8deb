import 'server-only';
import type { Accounts } from '@/lib/auth/server/accounts';
import type { Feeds } from '@/lib/live/feeds';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Roster } from '@/lib/roster/schema';
import type { UnitAnswer } from '@/lib/wire/unit';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { NotReadyReason } from '@/lib/status/schema';
import { createAccountsDatabaseWatch } from './accounts-database-watch';
import { createAccountWatch } from './account-watch';
import { createBoundedClient } from '@/lib/http/bounded-client';
import type { Env } from '@/lib/config/env';
import type { FeedJournal } from '@/lib/live/worker/feed-journal';
import type { Log } from '@/lib/ops/log';
import type { Metrics } from '@/lib/ops/metrics/metrics';
import type { Versions } from '@/lib/ops/versions';
import type { AccountState, Runtime } from '@/lib/http/runtime';
import { createMemory } from '@/lib/ops/memory';
import { requireAccount } from '@/lib/live/tracking-accounts';
import type { TrackingAccount } from '@/lib/live/tracking-accounts';
import { readUnitAnswer } from './unit-answer';
import type { Upstream } from './upstream';
import { createViewers } from '@/lib/live/viewers';
import { readVinCarrier } from './vin-carrier';
import { createWatchedFleets } from '@/lib/live/watched-fleets';

const MINUTE_MS = 60_000;
/** A carrier changes its name rarely; a roster changes when a truck is bought. */
const ACCOUNT_TTL_MS = 10 * MINUTE_MS;
/** Concurrent requests for one VIN share one request; the feeds cache the answer for a day. */
const CARRIER_TTL_MS = 5000;
const ROSTER_TTL_MS = 3 * MINUTE_MS;
/** Long enough for concurrent viewers of one unit to share a request, too short to be noticed. */
const UNIT_TTL_MS = 2000;
const REMEMBERED_CARRIERS = 500;
const REMEMBERED_UNITS = 500;
/** Fleets that one server polls at once. */
export const MAX_FLEETS = 32;
/**
 * Limits on fleets that are neither configured nor known to the provider: for all viewers together, and for
 * one.
 */
const MAX_UNKNOWN_FLEETS = 16;
const MAX_UNKNOWN_FLEETS_PER_VIEWER = 8;
/** Feeds stop polling after about a minute without a reader. */
const FLEET_IDLE_MS = 90_000;

/** Composes the server from the provider clients, the feeds and the caches. */
export const composeRuntime = (options: {
  env: Env;
  log: Log;
  versions: Versions;
  upstream: Upstream;
  accounts: Accounts;
  feeds: Feeds;
  journal: FeedJournal;
  metrics: Metrics | null;
  now: () => number;
  /** Monotonic time in ms. */
  elapsed?: () => number;
}): Runtime => {
  const {
    env,
    log,
    versions,
    upstream,
    accounts,
    feeds,
    journal,
    metrics,
    now,
    elapsed = () => performance.now(),
  } = options;
  const { pageCallsPerS: callsPerS } = env;
  const sources = upstream.accounts.map(({ usdot, client }) => ({
    usdot,
    client: callsPerS === null ? client : createBoundedClient(client, { callsPerS, elapsed }),
  }));
  const requireFleet = (usdot: string): TrackingAccount => requireAccount(sources, usdot);
  const carrierAccounts = createMemory<CarrierAccount>({
    ttlMs: ACCOUNT_TTL_MS,
    max: sources.length,
    elapsed,
  });
  const carriers = createMemory<VinCarrier>({ ttlMs: CARRIER_TTL_MS, max: REMEMBERED_CARRIERS, elapsed });
  const rosters = createMemory<Roster>({ ttlMs: ROSTER_TTL_MS, max: MAX_FLEETS, elapsed });
  const units = createMemory<UnitAnswer>({ ttlMs: UNIT_TTL_MS, max: REMEMBERED_UNITS, elapsed });
  /** The fleets of the accounts' own carriers, as far as they have been read. */
  const ownUsdots = new Set<string>();
  const fleets = createWatchedFleets({
    feeds,
    requireFleet,
    isConfigured: (usdot) =>
      usdot === env.homeUsdot || ownUsdots.has(usdot) || sources.some((source) => source.usdot === usdot),
    elapsed,
    max: MAX_FLEETS,
    maxUnknown: MAX_UNKNOWN_FLEETS,
    maxUnknownPerViewer: MAX_UNKNOWN_FLEETS_PER_VIEWER,
    maxOpenedPerS: callsPerS,
    idleMs: FLEET_IDLE_MS,
  });
  const readAccountAt = (index: number): Promise<CarrierAccount> =>
    carrierAccounts.read(String(index), async () => {
      const account = await sources[index]!.client.readAccount();
      ownUsdots.add(account.usdot);
      return account;
    });
  const accountWatches = sources.map(({ usdot }, index) =>
    createAccountWatch({
      read: () => readAccountAt(index),
      elapsed,
      onProblem: ({ code }, error) =>
        log.warn({ usdot, code, reason: String(error) }, 'The account of a provider could not be read.'),
    }),
  );
  const peekAccounts = (): AccountState[] =>
    sources.map(({ usdot }, index) => ({ usdot, ...accountWatches[index]!() }));
  const accountsDatabase = createAccountsDatabaseWatch({ ask: accounts.askDatabase, now, elapsed });
  const startedAt = elapsed();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';

  const isEverybodyAStranger = (): boolean =>
    accounts.mode === 'required' &&
    accountsDatabase.read().state === 'away' &&
    !accountsDatabase.wasReached();

  /**
   * The feeds' own answer if they have one, so that a unit's panel and its flag agree; otherwise requests the
   * carrier and passes the answer to the feeds.
   */
  const readCarrierOnce = async (usdot: string, vin: string): Promise<VinCarrier> => {
    const { client } = requireFleet(usdot);
    // Without the feeds' thread, the provider still answers.
    const known = await feeds.knownCarrier(usdot, vin).catch(() => null);
    if (known !== null) return known;
    const carrier = await readVinCarrier(client, vin, now);
    feeds.learnCarrier(usdot, carrier);
    return carrier;
  };

  return {
    env,
    log,
    versions,
    readUptimeMs: () => Math.round(elapsed() - startedAt),
    now,
    accounts,
    fleets,
    journal,
    metrics,
    viewers: createViewers({ elapsed, lastingMs: FLEET_IDLE_MS }),
    listFeeds: () => {
      const watched = fleets.list().map((each) => ({ ...each, isWatched: true }));
      const known = new Set(watched.map(({ usdot }) => usdot));
      const left = journal.usdots().filter((usdot) => !known.has(usdot));
      return [...watched, ...left.map((usdot) => ({ usdot, feed: feeds.feed(usdot), isWatched: false }))];
    },
    readNotReady: () => {
      const reasons: NotReadyReason[] = phase === 'running' ? [] : [phase];
      if (upstream.readDatabase()?.state === 'away') reasons.push('noDatabase');
      // Users known to this process still see the map; if the database was never reached, no user is known.
      else if (isEverybodyAStranger()) reasons.push('noAccounts');
      return reasons;
    },
    hasFleet: (usdot) => sources.length === 1 || sources.some((source) => source.usdot === usdot),
    peekAccounts,
    readDatabaseVersion: upstream.readDatabaseVersion,
    readAccount: () => readAccountAt(0),
    readVinCarrier: (usdot, vin) => carriers.read(`${usdot}/${vin}`, () => readCarrierOnce(usdot, vin)),
    readRoster: (usdot) =>
      rosters.read(usdot, async () => {
        const { vins } = await requireFleet(usdot).client.readVins(usdot);
        return { usdot, vins, fetchedAtMs: now() };
      }),
    readUnit: (usdot, vin) =>
      units.read(`${usdot}/${vin}`, async () => readUnitAnswer(requireFleet(usdot).client, usdot, vin, now)),
    serveTracking: upstream.serve,
    openServiceStore: upstream.openStore,
    readDatabase: upstream.readDatabase,
    readAccountsDatabase: accountsDatabase.read,
    start: async () => {
      await Promise.all([upstream.start(), accounts.start().then(accountsDatabase.look)]);
      // Reads the accounts before the first viewer, so that several fleets have their names and the log any
      // fault of an account.
      if (sources.length > 1) peekAccounts();
      if (phase === 'starting') phase = 'running';
    },
    close: async () => {
      phase = 'stopping';
      feeds.close();
      await Promise.all([upstream.close(), accounts.close()]);
    },
  };
};
