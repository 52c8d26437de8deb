import 'server-only';
import { toPollIntervalMs, toRecordIntervalMs } from '@/lib/config/env';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { AccountStatus, FeedStatus, ServerStatus } from '@/lib/status/schema';
import { maySeeFleet, type Viewer } from '@/lib/base/viewer';
import type { AccountState, Runtime } from '@/lib/access/runtime';

const toFeedStatus = (
  { journal, viewers, history }: Runtime,
  { usdot, feed, isWatched }: ReturnType<Runtime['listFeeds']>[number],
): FeedStatus => {
  const { fetchedAtMs, staleSinceMs, problem, activeUnits, rosterVins } = feed.state();
  const lastPoll = journal.lastPoll(usdot);
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
  { readServers }: Pick<Runtime, 'readServers'>,
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
export const readServerStatus = (runtime: Runtime, viewer: Limits): ServerStatus => {
  const { env, journal, clock, readUptimeMs } = runtime;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    nowMs: clock.nowMs(),
    // Relative to the current wall clock, which may have been set since the start.
    startedAtMs: clock.nowMs() - readUptimeMs(),
    source: env.source,
    pollIntervalMs: toPollIntervalMs(env),
    recordIntervalMs: runtime.history && toRecordIntervalMs(env),
    recordedBytes: runtime.history?.recorder.readSize()?.bytes ?? null,
    archivedFromMs: runtime.history?.recorder.readSize()?.archivedFromMs ?? null,
    archiveProblems: (runtime.history?.archive.readProblems() ?? [])
      .filter(({ usdot }) => usdot === null || maySeeFleet(viewer, usdot))
      .map(({ text }) => text),
    notReady: runtime.readNotReady(),
    database: runtime.readDatabase(),
    accountsDatabase: runtime.readAccountsDatabase(),
    sharing: toSharing(runtime, viewer),
    versions: { ...runtime.versions, database: runtime.readDatabaseVersion() },
    memory: {
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      threadHeapUsedBytes: journal.lastHealth()?.heapUsedBytes ?? null,
    },
    accounts: runtime
      .peekAccounts()
      .filter(isOfAccounts(viewer))
      .map((state) => toSeenAccount(state, viewer)),
    feeds: runtime
      .listFeeds()
      .filter(({ usdot }) => maySeeFleet(viewer, usdot))
      .map((feed) => toFeedStatus(runtime, feed)),
  };
};
