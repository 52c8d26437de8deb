import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { type Feeds, requireAccount, type TrackingAccount } from '@/lib/feeds/feeds';
import { createFetchCache } from '@/lib/base/cache';
import type { Roster } from '@/lib/roster/roster';
import type { TrackingClient } from '@/lib/tracking/client';
import { isTrackingError } from '@/lib/tracking/errors';
import type { VinCarrier, UnitAnswer } from '@/lib/wire/unit';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { MINUTE_MS } from '@/lib/base/time';

/** A carrier changes its name rarely; a roster changes when a truck is bought. */
const ACCOUNT_TTL_MS = 10 * MINUTE_MS;
/** Concurrent requests for one VIN share one request; the feeds cache the answer for a day. */
const CARRIER_TTL_MS = 5000;
const ROSTER_TTL_MS = 3 * MINUTE_MS;
/** Long enough for concurrent viewers of one unit to share a request, too short to be noticed. */
const UNIT_TTL_MS = 2000;
const MAX_CACHED_CARRIERS = 500;
const MAX_CACHED_UNITS = 500;

/** The provider's message for a VIN of its own that has no fix yet. */
const NEVER_REPORTED = /never|no[-_.]?(fix|position|report)/i;
const UNKNOWN_CARRIER = { mcNumber: null, usdot: null };

/** One unit in the provider's current answer; a VIN that it does not know is an answer, not a failure. */
const readUnitAnswer = async (
  client: TrackingClient,
  usdot: string,
  vin: string,
): Promise<Omit<UnitAnswer, 'requestedAtMs'>> => {
  try {
    const { identity, position, fixAtMs, flags } = await client.readUnit(usdot, vin);
    return { outcome: 'unit', unit: { identity, position, fixAtMs, flags } };
  } catch (error) {
    if (!isTrackingError(error, 'notFound')) throw error;
    const outcome = error.code !== null && NEVER_REPORTED.test(error.code) ? 'neverReported' : 'unknown';
    return { outcome, unit: null };
  }
};

/** The unit's fields as its device reported them; none where the provider has no such answer, or cannot give it now. */
const readReported = async (
  { client, hasExtensions = false }: TrackingAccount,
  usdot: string,
  vin: string,
): Promise<Pick<UnitAnswer, 'reported'>> => {
  if (!hasExtensions) return {};
  try {
    return { reported: await client.readReported(usdot, vin) };
  } catch (error) {
    if (isTrackingError(error)) return {};
    throw error;
  }
};

/** The motor carrier of a VIN; a VIN that the provider does not know is an answer, not a failure. */
const readCarrierOfVin = async (client: TrackingClient, vin: string) => {
  try {
    return await client.readCarrier(vin);
  } catch (error) {
    if (!isTrackingError(error, 'notFound')) throw error;
    return UNKNOWN_CARRIER;
  }
};

/** The providers' answers that pages read besides the feeds, each cached for a while. */
export const createProviderAnswers = (options: {
  accounts: readonly TrackingAccount[];
  feeds: Feeds;
  clock: Clock;
  maxFleets: number;
}) => {
  const { accounts, feeds, clock, maxFleets } = options;
  const createCache = <T extends object>(ttlMs: number, max: number) =>
    createFetchCache<T>({ ttlMs, max, clock });
  const carrierAccounts = createCache<CarrierAccount>(ACCOUNT_TTL_MS, accounts.length);
  const carriers = createCache<VinCarrier>(CARRIER_TTL_MS, MAX_CACHED_CARRIERS);
  const rosters = createCache<Roster>(ROSTER_TTL_MS, maxFleets);
  const units = createCache<UnitAnswer>(UNIT_TTL_MS, MAX_CACHED_UNITS);
  /** The fleets of the accounts' own carriers, as far as they have been read. */
  const ownUsdots = new Set<string>();

  /** The feeds' own answer, so that a unit's panel and its flag agree; else requests the carrier and passes it to the feeds. */
  const readCarrierOnce = async (usdot: string, vin: string): Promise<VinCarrier> => {
    const { client } = requireAccount(accounts, usdot);
    // Without the feeds' thread, the provider still answers.
    const known = await feeds.knownCarrier(usdot, vin).catch(() => null);
    if (known !== null) return known;
    const carrier = { vin, ...(await readCarrierOfVin(client, vin)), requestedAtMs: clock.nowMs() };
    feeds.learnCarrier(usdot, carrier);
    return carrier;
  };

  return {
    ownUsdots: ownUsdots as ReadonlySet<string>,
    readAccount: (index: number): Promise<CarrierAccount> =>
      carrierAccounts.read(String(index), async () => {
        const account = await accounts[index]!.client.readAccount();
        ownUsdots.add(account.usdot);
        return account;
      }),
    readVinCarrier: (usdot: string, vin: string): Promise<VinCarrier> =>
      carriers.read(`${usdot}/${vin}`, () => readCarrierOnce(usdot, vin)),
    readRoster: (usdot: string): Promise<Roster> =>
      rosters.read(usdot, async () => {
        const { vins } = await requireAccount(accounts, usdot).client.readVins(usdot);
        return { usdot, vins, fetchedAtMs: clock.nowMs() };
      }),
    readUnit: (usdot: string, vin: string): Promise<UnitAnswer> =>
      units.read(`${usdot}/${vin}`, async () => {
        const account = requireAccount(accounts, usdot);
        const [answer, reported] = await Promise.all([
          readUnitAnswer(account.client, usdot, vin),
          readReported(account, usdot, vin),
        ]);
        if (answer.unit !== null) feeds.learnNames(usdot, [answer.unit.identity]);
        return { ...answer, ...reported, requestedAtMs: clock.nowMs() };
      }),
  };
};
