import 'server-only';
import type { AccountStatus, FeedStatus, ServerStatus } from '@/lib/wire/server-status';
import type { AccountState, Runtime } from './compose';
import { readVersions } from './versions';

const toFeedStatus = (
  { journal, viewers }: Runtime,
  { usdot, feed, isWatched }: ReturnType<Runtime['listFeeds']>[number],
): FeedStatus => {
  const { fetchedAtMs, staleSinceMs, problem, activeUnits, rosterVins } = feed.state();
  const lastPoll = journal.lastPoll(usdot);
  return {
    usdot,
    isWatched,
    fetchedAtMs,
    staleSinceMs,
    problem,
    newestFixAtMs: lastPoll?.census.newestFixAtMs ?? null,
    activeUnits,
    rosterVins,
    viewers: viewers.count(usdot),
    pollTookMs: lastPoll?.tookMs ?? null,
    salvage: feed.salvage(),
    problems: [...feed.problems()],
  };
};

export const toAccountStatus = ({ usdot, account, problem }: AccountState): AccountStatus => ({
  usdot,
  account,
  problem: problem === null ? null : (problem.detail ?? problem.title),
});

/** How the server and all that it depends on fare, for those who may see the fleets. It waits for nobody. */
export const readServerStatus = (runtime: Runtime): ServerStatus => {
  const { env, journal, now, readUptimeMs } = runtime;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    nowMs: now(),
    // By the clock of today, should it have been set since.
    startedAtMs: now() - readUptimeMs(),
    source: env.providers.length === 0 ? 'embedded' : 'provider',
    pollIntervalMs: env.pollIntervalMs,
    notReady: runtime.readNotReady(),
    database: runtime.readDatabase(),
    versions: { ...readVersions(), database: runtime.readDatabaseVersion() },
    memory: {
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      threadHeapUsedBytes: journal.lastVitals()?.heapUsedBytes ?? null,
    },
    accounts: runtime.peekAccounts().map(toAccountStatus),
    feeds: runtime.listFeeds().map((feed) => toFeedStatus(runtime, feed)),
  };
};
