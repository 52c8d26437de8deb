import 'server-only';
import { toPollIntervalMs, toRecordIntervalMs, type Env } from '@/lib/config/env';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { AccountStatus, FeedStatus, NotReadyReason, ServerStatus } from '@/lib/status/schema';
import { maySeeFleet, type Viewer } from '@/lib/base/viewer';
import type { SharingServers } from '@/lib/cluster/server/lease-store';
import type { Clock } from '@/lib/base/clock';
import type { Problem } from '@/lib/base/http/protocol';
import type { Versions } from '@/lib/base/versions';
import type { RoutingState } from '@/lib/routing/routing';
import type { DatabaseState } from '@/lib/database/database-health';
import type { Feed } from '@/lib/feeds/feeds';
import type { Viewers } from '@/lib/feeds/viewers';
import type { FeedJournal } from '@/lib/feeds/worker/health';
import type { Recorder } from '@/lib/recording/recorder';
import type { Archive } from '@/lib/archive/archive';

export interface AccountState {
  /** The configured fleet; null: the account's own. */
  usdot: string | null;
  account: CarrierAccount | null;
  /** Why it cannot be read or renewed; null without a failure or before the first request. */
  problem: Problem | null;
}

/** A fleet that this server polls, or has polled. */
export interface ListedFeed {
  usdot: string;
  feed: Feed;
  isWatched: boolean;
}

export interface StatusSource {
  env: Env;
  clock: Pick<Clock, 'nowMs'>;
  versions: Versions;
  journal: FeedJournal;
  viewers: Viewers;
  /** The recording; null if fleets are not recorded. */
  history: {
    recorder: Pick<Recorder, 'readRecording' | 'readSize'>;
    archive: Pick<Archive, 'readProblems'>;
  } | null;
  /** Process uptime in ms (monotonic). */
  readUptimeMs: () => number;
  /** Why requests should go elsewhere; empty if they need not. */
  readNotReady: () => NotReadyReason[];
  /** State of the embedded service's database; null if a provider is read instead. */
  readDatabase: () => DatabaseState | null;
  readAccountsDatabase: () => DatabaseState;
  /** Version of the embedded service's PostgreSQL; null without one, or before it was first reached. */
  readDatabaseVersion: () => string | null;
  /** The servers that share the fleets; null: this one is alone. */
  readServers: () => SharingServers | null;
  /** Null: there is no routing engine. */
  readRouting: () => RoutingState | null;
  /** Until when the mails to customers of a fleet wait, by its USDOT number, Unix ms. */
  heldMails: ReadonlyMap<string, number>;
  /** Each account in its order, from the cache without waiting. */
  peekAccounts: () => AccountState[];
  /** The watched fleets, and after them those watched earlier with retained problems. */
  listFeeds: () => ListedFeed[];
}

const toFeedStatus = (
  { journal, viewers, history, heldMails, clock }: StatusSource,
  { usdot, feed, isWatched }: ListedFeed,
): FeedStatus => {
  const { fetchedAtMs, staleSinceMs, problem, activeUnits, rosterVins } = feed.state();
  const lastPoll = journal.lastPoll(usdot);
  const heldMs = heldMails.get(usdot) ?? 0;
  return {
    usdot,
    isWatched,
    recording: history?.recorder.readRecording(usdot) ?? null,
    fetchedAtMs,
    staleSinceMs,
    problem,
    newestFixAtMs: lastPoll?.counts.newestFixAtMs ?? null,
    activeUnits,
    rosterVins,
    viewers: viewers.count(usdot),
    mailsHeldUntilMs: heldMs > clock.nowMs() ? heldMs : null,
    pollTookMs: lastPoll?.tookMs ?? null,
    salvage: feed.salvage(),
    problems: [...feed.problems()],
  };
};

type Limits = Pick<Viewer, 'usdots'>;

const maySeeCarrier = (viewer: Limits, { usdot }: CarrierAccount): boolean =>
  maySeeFleet(viewer, parseUsdot(usdot) ?? usdot);

/** An account and its health; its carrier is named only if the viewer may see that carrier's fleet. */
export const toSeenAccount = ({ usdot, account, problem }: AccountState, viewer: Limits): AccountStatus => ({
  usdot,
  account: account !== null && maySeeCarrier(viewer, account) ? account : null,
  problem: problem === null ? null : (problem.detail ?? problem.title),
});

/** An account is visible if the viewer may see its configured fleet or, without one, its carrier's fleet. */
const isOfAccounts =
  (viewer: Limits) =>
  ({ usdot, account }: AccountState): boolean => {
    if (usdot !== null) return maySeeFleet(viewer, usdot);
    return account === null ? viewer.usdots === null : maySeeCarrier(viewer, account);
  };

const toSharing = (
  { readServers }: Pick<StatusSource, 'readServers'>,
  viewer: Limits,
): ServerStatus['sharing'] => {
  const sharing = readServers();
  return (
    sharing && {
      redisAwayMs: sharing.redisAwayMs,
      servers: sharing.servers.map(({ usdots, ...server }) => ({
        ...server,
        fleets: usdots.length,
        usdots: usdots.filter((usdot) => maySeeFleet(viewer, usdot)).sort(),
      })),
    }
  );
};

/** Health of the server and its dependencies, with the fleets in the viewer's scope. It does not wait. */
export const readServerStatus = (source: StatusSource, viewer: Limits): ServerStatus => {
  const { env, journal, clock, history, readUptimeMs } = source;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    nowMs: clock.nowMs(),
    // Relative to the current wall clock, which may have been set since the start.
    startedAtMs: clock.nowMs() - readUptimeMs(),
    source: env.source,
    pollIntervalMs: toPollIntervalMs(env),
    recordIntervalMs: history && toRecordIntervalMs(env),
    recordedBytes: history?.recorder.readSize()?.bytes ?? null,
    archivedFromMs: history?.recorder.readSize()?.archivedFromMs ?? null,
    archiveProblems: (history?.archive.readProblems() ?? [])
      .filter(({ usdot }) => usdot === null || maySeeFleet(viewer, usdot))
      .map(({ text }) => text),
    notReady: source.readNotReady(),
    database: source.readDatabase(),
    accountsDatabase: source.readAccountsDatabase(),
    routing: source.readRouting(),
    sharing: toSharing(source, viewer),
    versions: { ...source.versions, database: source.readDatabaseVersion() },
    memory: {
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      threadHeapUsedBytes: journal.lastHealth()?.heapUsedBytes ?? null,
    },
    accounts: source
      .peekAccounts()
      .filter(isOfAccounts(viewer))
      .map((state) => toSeenAccount(state, viewer)),
    feeds: source
      .listFeeds()
      .filter(({ usdot }) => maySeeFleet(viewer, usdot))
      .map((feed) => toFeedStatus(source, feed)),
  };
};
