import { describe, expect, it } from 'vitest';
import { FIX_AGE_BOUNDS_S, type PollReport } from '@/lib/fleet/poll-report';
import type { Feed } from '@/lib/feeds/feeds';
import { FLAGS, STATUSES } from '@/lib/motion/status';
import type { FeedState } from '@/lib/wire/fleet';
import { parseEnv } from '@/lib/config/env';
import { FeedJournal } from '@/lib/feeds/worker/health';
import { clockOf } from '@/testing/clock';
import { Viewers } from '@/lib/feeds/viewers';
import { readVersions } from '@/lib/base/versions';
import type { RoutingState } from '@/lib/routing/routing';
import { createMetrics, requireMetricsToken } from './metrics';
import type { SharingServers } from '@/lib/cluster/server/lease-store';

const NOW_MS = 1_772_366_400_000;
const TOKEN = 'planted-metrics-token';
const VITALS = {
  delayP50Ms: 1,
  delayP99Ms: 20,
  delayMaxMs: 300,
  heapUsedBytes: 1e8,
  encodeMs: [4],
  compressMs: [30],
};
const STATE: FeedState = {
  fetchedAtMs: NOW_MS - 4000,
  staleSinceMs: NOW_MS - 2000,
  problem: null,
  nextAttemptAtMs: null,
  activeUnits: 390,
  rosterVins: 400,
  droppedRecords: 3,
  repairedFields: 5,
  alertsRevision: 0,
};

const reportOf = (usdot: string, failure: PollReport['failure'] = null): PollReport => ({
  usdot,
  failure,
  tookMs: 120,
  counts: {
    units: 400,
    byStatus: STATUSES.map((_, index) => index),
    byFlag: FLAGS.map((_, index) => index * 10),
    fixesYoungerThan: FIX_AGE_BOUNDS_S.map((_, index) => index + 100),
    newestFixAtMs: NOW_MS - 7000,
  },
});

const setUp = (sharing: SharingServers | null = null, routing: RoutingState | null = null) => {
  const metrics = createMetrics(readVersions());
  const now = () => NOW_MS;
  const journal = new FeedJournal(8);
  const viewers = new Viewers(90_000, clockOf(now));
  const watched = ['9000001'];
  /** Without a viewer. */
  const recorded: string[] = [];
  const note = (report: PollReport) => {
    journal.notePoll(report, VITALS);
    metrics.notePoll(report, VITALS);
  };
  const render = async () => {
    const feed = { state: () => STATE } as Feed;
    const list = (usdots: string[], isWatched: boolean) =>
      usdots.map((usdot) => ({ usdot, feed, isWatched }));
    return (
      await metrics.render({
        listPolled: () => [...list(watched, true), ...list(recorded, false)],
        journal,
        clock: clockOf(now),
        viewers,
        readNotReady: () => [],
        env: parseEnv({}),
        peekAccounts: () => [],
        history: { archive: { readProblems: () => ['The disk is full.'] } },
        readServers: () => sharing,
        readRouting: () => routing,
      })
    ).text;
  };
  return { metrics, note, render, watched, recorded, viewers };
};

describe('createMetrics', () => {
  it('counts polls and failures by cause, ages, units, flags, viewers and durations', async () => {
    const { metrics, note, render, viewers } = setUp();
    note(reportOf('9000001'));
    note(reportOf('9000001', 'timeout'));
    note(reportOf('9000001', 'timeout'));
    for (const status of [200, 304, 429, 0]) metrics.noteAnswer(status);
    viewers.record('9000001', new Headers());
    const text = await render();
    for (const line of [
      'linehaul_polls_total{usdot="9000001",outcome="ok"} 1',
      'linehaul_polls_total{usdot="9000001",outcome="timeout"} 2',
      'linehaul_answer_age_seconds{usdot="9000001"} 4',
      'linehaul_stale_seconds{usdot="9000001"} 2',
      'linehaul_newest_fix_age_seconds{usdot="9000001"} 7',
      'linehaul_units_by_fix_age{usdot="9000001",at_most_s="60"} 101',
      'linehaul_units{usdot="9000001",status="stopped"} 1',
      'linehaul_flagged_units{usdot="9000001",flag="clockFault"} 10',
      'linehaul_active_units{usdot="9000001"} 390',
      'linehaul_dropped_records{usdot="9000001"} 3',
      'linehaul_viewers{usdot="9000001"} 1',
      'linehaul_encode_duration_seconds_count{step="encode"} 3',
      'linehaul_encode_duration_seconds_sum{step="compress"} 0.09',
      'linehaul_feed_thread_delay_seconds{quantile="0.99"} 0.02',
      'linehaul_http_answers_total{status="2xx"} 1',
      'linehaul_http_answers_total{status="given up"} 1',
      'linehaul_http_too_many_total 1',
      'linehaul_ready 1',
      'linehaul_archive_problems 1',
    ])
      expect(text).toContain(`\n${line}\n`);
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
      expect(text).toContain(`\n${name} `);
  });

  it('says whether a routing engine answers, and nothing where there is none', async () => {
    const state = { sinceMs: null, reason: null, found: 4, none: 1, failed: 3, skipped: 2, tookMs: 20 };
    const text = await setUp(null, { engine: 'osrm', state: 'away', ...state }).render();
    for (const line of [
      'linehaul_routing_answering 0',
      'linehaul_routing_answer_seconds 0.02',
      'linehaul_routing_ways_total{outcome="found"} 4',
      'linehaul_routing_ways_total{outcome="skipped"} 2',
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(await setUp().render()).not.toContain('linehaul_routing');
  });

  it('counts what a server does for the others that share its fleets, and nothing where it is alone', async () => {
    const report = { name: 'a', app: '0.1.0', build: null, uptimeMs: 1, lagMs: 1500, echoMs: 4 };
    const server = { id: 'a', isThis: true, silentMs: 0, usdots: ['1', '2'], report };
    const counts = {
      publishedVersions: 3,
      publishedBytes: 900,
      readVersions: 2,
      readBytes: 500,
      lostLeases: 1,
    };
    const sharing: SharingServers = {
      redisAwayMs: null,
      servers: [server, { ...server, isThis: false }, { ...server, isThis: false, silentMs: 4000 }],
      counts,
    };
    const { render } = setUp(sharing);
    await render();
    counts.publishedVersions++;
    sharing.redisAwayMs = 10;
    const text = await render();
    for (const line of [
      'linehaul_redis_connected 0',
      'linehaul_servers 2',
      'linehaul_fleets_owned 2',
      'linehaul_poll_lag_seconds 1.5',
      'linehaul_redis_echo_delay_seconds 0.004',
      'linehaul_published_versions_total 4',
      'linehaul_published_bytes_total 900',
      'linehaul_read_versions_total 2',
      'linehaul_read_bytes_total 500',
      'linehaul_leases_lost_total 1',
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(await setUp().render()).not.toMatch(/redis|published|leases/);
  });

  it('keeps a recorded fleet that has no viewer, and drops one that is polled no longer', async () => {
    const { note, render, watched, recorded } = setUp();
    for (let usdot = 1; usdot <= 500; usdot++) note(reportOf(String(usdot), 'status'));
    note(reportOf('9000001'));
    expect(await render()).not.toContain('usdot="77"');
    recorded.push(...watched.splice(0));
    const text = await render();
    for (const line of [
      'linehaul_fleets_watched 0',
      'linehaul_polls_total{usdot="9000001",outcome="ok"} 1',
      'linehaul_answer_age_seconds{usdot="9000001"} 4',
    ])
      expect(text).toContain(`\n${line}\n`);
    recorded.length = 0;
    expect(await render()).not.toContain('usdot=');
  });
});

describe('requireMetricsToken', () => {
  const ask =
    (authorization: string | null, token: string | null = TOKEN) =>
    () =>
      requireMetricsToken(new Headers(authorization === null ? {} : { authorization }), token);

  it('accepts the bearer of the token', () => {
    expect(ask(`Bearer ${TOKEN}`)).not.toThrow();
    expect(ask(`bearer  ${TOKEN}`)).not.toThrow();
  });

  it('refuses every other request, and repeats nothing of it', () => {
    for (const given of [
      null,
      '',
      'Bearer',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
    ])
      expect(ask(given), String(given)).toThrow('Token needed');
  });

  it('answers as unknown if no token is set', () => {
    expect(ask(`Bearer ${TOKEN}`, null)).toThrow(expect.objectContaining({ code: 'unknown-address' }));
  });
});
