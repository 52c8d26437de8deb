import 'server-only';
import { collectDefaultMetrics, type Gauge, type Registry } from 'prom-client';
import { createMakers } from './define';
import type { Clock } from '@/lib/base/clock';
import type { SharingServers } from '@/lib/cluster/server/lease-store';
import type { RoutingState } from '@/lib/routing/routing';
import type { Env } from '@/lib/config/env';
import type { Versions } from '@/lib/base/versions';
import type { FeedJournal } from '@/lib/feeds/worker/health';
import type { Viewers } from '@/lib/feeds/viewers';
import type { Feed } from '@/lib/feeds/feeds';

const STATUS_CLASSES = ['given up', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** State that is sampled when the metrics are read. */
export interface Measured {
  listPolled: () => readonly { usdot: string; feed: Feed; isWatched: boolean }[];
  journal: Pick<FeedJournal, 'lastPoll'>;
  viewers: Pick<Viewers, 'count'>;
  env: Pick<Env, 'providers'>;
  peekAccounts: () => readonly { usdot: string | null; problem: unknown }[];
  /** Null if fleets are not recorded. */
  history: { archive: { readProblems: () => readonly unknown[] } } | null;
  clock: Pick<Clock, 'nowMs'>;
  /** Empty while requests should come here. */
  readNotReady: () => readonly string[];
  readServers: () => SharingServers | null;
  readRouting: () => RoutingState | null;
}

const defineMetrics = (registry: Registry, { app, build, node }: Versions) => {
  const { counter, gauge } = createMakers(registry);
  const perFleet = (name: string, help: string) => gauge(name, help, 'usdot');
  gauge('build_info', 'Always 1; the versions are in its labels.', 'version', 'build', 'node').set(
    { version: app, build: build ?? 'none', node },
    1,
  );
  const answers = 'Answers to HTTP requests of every kind, by class of their status.';
  const tooMany = 'Requests refused because their client sends more than its share (429).';
  const archive = 'Problems of the archive of the recording, as when its disk is full.';
  const readable =
    "Of several providers' accounts: 1 while each can be read, 0 while it cannot; absent for a single one.";
  return {
    answers: counter('http_answers_total', answers, 'status'),
    tooMany: counter('http_too_many_total', tooMany),
    ready: gauge('ready', '1 while requests should come here.'),
    watched: gauge('fleets_watched', 'Fleets that a client requested in the last 90 seconds.'),
    archiveProblems: gauge('archive_problems', archive),
    accountReadable: gauge('account_readable', readable, 'account', 'usdot'),
    /** One value for each fleet that is watched or polled. */
    gauges: {
      answerAge: perFleet('answer_age_seconds', "Age of the server's copy of the provider's answer."),
      stale: perFleet(
        'stale_seconds',
        'For how long the provider has failed without a break; 0 while it has not.',
      ),
      newestFixAge: perFleet('newest_fix_age_seconds', 'Age of the newest fix of any unit.'),
      activeUnits: perFleet('active_units', "Units in the provider's newest answer."),
      rosterVins: perFleet('roster_vins', 'VINs on the roster.'),
      dropped: perFleet('dropped_records', 'Records of the newest answer that could not be used.'),
      repaired: perFleet('repaired_fields', 'Fields of the newest answer that were repaired.'),
      viewers: perFleet(
        'viewers',
        'Screens that polled in the last 90 seconds; clients without a screen number count as one.',
      ),
    },
  };
};

/** Metrics of the main thread: its answers, and the ages of the fleets that it serves. */
export const createServerMetrics = (registry: Registry, versions: Versions) => {
  collectDefaultMetrics({ register: registry });
  const { answers, tooMany, ready, watched, archiveProblems, accountReadable, gauges } = defineMetrics(
    registry,
    versions,
  );

  return {
    /** Called for each answer; status 0 if its client left before it came. */
    noteAnswer: (status: number): void => {
      answers.inc({ status: STATUS_CLASSES[Math.floor(status / 100)] ?? '5xx' });
      if (status === 429) tooMany.inc();
    },
    readNow: (measured: Measured): void => {
      const { listPolled, journal, clock, readNotReady, viewers, env, peekAccounts, history } = measured;
      const nowMs = clock.nowMs();
      const list = listPolled();
      ready.set(readNotReady().length === 0 ? 1 : 0);
      watched.set(list.filter(({ isWatched }) => isWatched).length);
      archiveProblems.set(history?.archive.readProblems().length ?? 0);
      const accounts = env.providers.length > 1 ? peekAccounts() : [];
      accounts.forEach(({ usdot, problem }, index) =>
        accountReadable.set({ account: String(index + 1), usdot: usdot ?? '' }, problem === null ? 1 : 0),
      );
      // Reset each time, so that a fleet that is no longer polled has no growing age.
      for (const gauge of Object.values(gauges)) gauge.reset();
      for (const { usdot, feed } of list) {
        const state = feed.state();
        const newestFixAtMs = journal.lastPoll(usdot)?.counts.newestFixAtMs ?? null;
        const setAge = (gauge: Gauge<'usdot'>, atMs: number | null): void => {
          if (atMs !== null) gauge.set({ usdot }, (nowMs - atMs) / 1000);
        };
        setAge(gauges.answerAge, state.fetchedAtMs);
        setAge(gauges.newestFixAge, newestFixAtMs);
        gauges.stale.set({ usdot }, state.staleSinceMs === null ? 0 : (nowMs - state.staleSinceMs) / 1000);
        gauges.activeUnits.set({ usdot }, state.activeUnits);
        if (state.rosterVins !== null) gauges.rosterVins.set({ usdot }, state.rosterVins);
        gauges.dropped.set({ usdot }, state.droppedRecords);
        gauges.repaired.set({ usdot }, state.repairedFields);
        gauges.viewers.set({ usdot }, viewers.count(usdot));
      }
    },
  };
};
