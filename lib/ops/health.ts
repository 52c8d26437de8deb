import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';
import type { NotReadyReason } from '@/lib/status/schema';
import type { Runtime } from '@/lib/http/runtime';
import type { DatabaseState } from './database-watch';

interface FeedHealth {
  /** How old the server's copy of a fleet is; null before it has one. */
  ageMs: number | null;
  /** For how long it has not been renewed although it should; null while it is. */
  staleMs: number | null;
  problem: FeedProblem['kind'] | null;
}

interface AccountHealth {
  /** The code of why it cannot be read; null while it can, or was not asked for yet. */
  problem: string | null;
}

export interface Health {
  /** Always so where an answer comes: a process that hangs gives none. */
  live: true;
  /** Whether requests should come here. A provider that fails does not count: the last good fleet is shown then. */
  ready: boolean;
  notReady: NotReadyReason[];
  /** `degraded`: the server runs, and one of its databases, a fleet that it watches or one of several accounts does not get through. */
  status: 'ok' | 'degraded';
  source: 'provider' | 'embedded';
  /** The embedded service's own; null where a provider is read. */
  database: DatabaseState | null;
  /** Of accounts. Away, nobody new signs in; whom this process knows goes on to see the map. */
  accountsDatabase: DatabaseState;
  nowMs: number;
  uptimeMs: number;
  /** Of several accounts, in their order; empty where there is one, of which its fleets tell. */
  accounts: AccountHealth[];
  /** Of the fleets that are watched, the oldest copy first. */
  feeds: FeedHealth[];
}

/**
 * How the server and its feeds fare. A stranger may read it: it names no carrier, no unit, nothing that the provider
 * said and no version of anything.
 */
export const readHealth = ({
  env,
  fleets,
  now,
  readUptimeMs,
  readNotReady,
  readDatabase,
  readAccountsDatabase,
  peekAccounts,
}: Runtime): Health => {
  const nowMs = now();
  const feeds = fleets.list().map(({ feed }): FeedHealth => {
    const { fetchedAtMs, staleSinceMs, problem } = feed.state();
    return {
      ageMs: fetchedAtMs === null ? null : Math.max(0, nowMs - fetchedAtMs),
      staleMs: staleSinceMs === null ? null : Math.max(0, nowMs - staleSinceMs),
      problem: problem?.kind ?? null,
    };
  });
  const database = readDatabase();
  const accountsDatabase = readAccountsDatabase();
  const isDatabaseWell = [database, accountsDatabase].every(
    (each) => each === null || each.state === 'ok' || each.state === 'unknown',
  );
  const notReady = readNotReady();
  // One account is not asked for its own sake: nobody who watches over a server costs its provider anything.
  const accounts = (env.providers.length > 1 ? peekAccounts() : []).map(({ problem }): AccountHealth => ({
    problem: problem?.code ?? null,
  }));
  const isWell = isDatabaseWell && [...feeds, ...accounts].every(({ problem }) => problem === null);
  return {
    live: true,
    ready: notReady.length === 0,
    notReady,
    status: isWell ? 'ok' : 'degraded',
    source: env.providers.length === 0 ? 'embedded' : 'provider',
    database,
    accountsDatabase,
    nowMs,
    uptimeMs: readUptimeMs(),
    accounts,
    feeds: feeds.sort((a, b) => (b.ageMs ?? Infinity) - (a.ageMs ?? Infinity)),
  };
};
