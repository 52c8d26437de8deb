import 'server-only';
import type { SharingServers } from '@/lib/cluster/server/lease-store';
import type { StatusSource } from '@/lib/status/server/server-status';
import type { WatchedFleets } from '@/lib/feeds/watched-fleets';

/** The first characters of a server's random id. */
const ID_CHARACTERS = 8;

/** What anyone may know of the servers that share the fleets: no names, carriers or versions. Empty if this one is alone. */
export const toPublicSharing = (sharing: SharingServers | null) => {
  if (sharing === null) return {};
  const own = sharing.servers.find(({ isThis }) => isThis)?.report;
  return {
    redisAwayMs: sharing.redisAwayMs,
    servers: sharing.servers.map(({ id, isThis, silentMs, usdots, report }) => ({
      ...{ id: id.slice(0, ID_CHARACTERS), isThis, silentMs, fleets: usdots.length },
      isSameVersion: report !== null && report.app === own?.app && report.build === own.build,
      uptimeMs: report?.uptimeMs ?? null,
      lagMs: report?.lagMs ?? null,
      echoMs: report?.echoMs ?? null,
    })),
  };
};

type HealthSource = StatusSource & { fleets: Pick<WatchedFleets, 'list'> };

/** State of the server and its feeds. It is public: no carrier, unit, text of the provider or version. */
export const readHealth = (source: HealthSource) => {
  const { env, fleets, clock, history } = source;
  const nowMs = clock.nowMs();
  const feeds = fleets.list().map(({ feed }) => {
    const { fetchedAtMs, staleSinceMs, problem } = feed.state();
    return {
      /** Age of the server's copy of a fleet; null before the first one. */
      ageMs: fetchedAtMs === null ? null : Math.max(0, nowMs - fetchedAtMs),
      /** For how long it has not been renewed as scheduled; null while it is. */
      staleMs: staleSinceMs === null ? null : Math.max(0, nowMs - staleSinceMs),
      problem: problem?.kind ?? null,
    };
  });
  const database = source.readDatabase();
  const accountsDatabase = source.readAccountsDatabase();
  const isDatabaseWell = [database, accountsDatabase].every(
    (each) => each === null || each.state === 'ok' || each.state === 'unknown',
  );
  const notReady = source.readNotReady();
  // A single account is not requested for this answer: health checks cost its provider nothing.
  const accounts = (env.providers.length > 1 ? source.peekAccounts() : []).map(({ problem }) => ({
    /** The error code if it cannot be read; null without a failure or before the first request. */
    problem: problem?.code ?? null,
  }));
  const archiveProblems = history?.archive.readProblems().length ?? 0;
  const isWell =
    isDatabaseWell &&
    archiveProblems === 0 &&
    [...feeds, ...accounts].every(({ problem }) => problem === null);
  return {
    /** Always so in an answer: a process that hangs gives none. */
    live: true as const,
    /** Whether requests should come here; not if a provider fails, as the last good fleet is shown. */
    ready: notReady.length === 0,
    notReady,
    /** `degraded`: a database, the archive, a watched fleet or one of several accounts fails. */
    status: isWell ? ('ok' as const) : ('degraded' as const),
    /** Null while the database that names it has not been read. */
    source: env.source,
    /** The embedded service's database; null if a provider is read. */
    database,
    /** While it is away, new sign-ins fail. */
    accountsDatabase,
    archiveProblems,
    nowMs,
    uptimeMs: source.readUptimeMs(),
    /** Several accounts, in their order; empty for a single one, which its fleets represent. */
    accounts,
    /** The watched fleets, the oldest copy first. */
    feeds: feeds.sort((a, b) => (b.ageMs ?? Infinity) - (a.ageMs ?? Infinity)),
  };
};
