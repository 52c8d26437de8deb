import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Registry } from 'prom-client';
import type { PollReport } from '@/lib/fleet/poll-report';
import type { ThreadHealth } from '@/lib/feeds/worker/health';
import { createPollMetrics } from './poll-metrics';
import type { Versions } from '@/lib/base/versions';
import { createServerMetrics, type Measured } from './server-metrics';
import { createRoutingMetrics } from './routing-metrics';
import { createSharingMetrics } from './sharing-metrics';

export interface Metrics {
  notePoll: (report: PollReport, health: ThreadHealth) => void;
  noteAnswer: (status: number) => void;
  /** In Prometheus' text format. */
  render: (measured: Measured) => Promise<{ text: string; contentType: string }>;
}

export const createMetrics = (versions: Versions): Metrics => {
  const registry = new Registry();
  const polls = createPollMetrics(registry);
  const server = createServerMetrics(registry, versions);
  const noteSharing = createSharingMetrics(registry);
  const noteRouting = createRoutingMetrics(registry);
  return {
    notePoll: polls.note,
    noteAnswer: server.noteAnswer,
    render: async (measured) => {
      polls.keepOnly(new Set(measured.listPolled().map(({ usdot }) => usdot)));
      server.readNow(measured);
      const sharing = measured.readServers();
      if (sharing !== null) noteSharing(sharing);
      const routing = measured.readRouting();
      if (routing !== null) noteRouting(routing);
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Admits the bearer of the token, compared in constant time. @throws AppError 'unknown-address', 'metrics-token' */
export const requireMetricsToken = (headers: Headers, token: string | null): void => {
  if (token === null) throw new AppError('unknown-address');
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
  // Digests have equal lengths, which the comparison requires.
  if (!timingSafeEqual(digest(given), digest(token))) throw new AppError('metrics-token');
};
