import 'server-only';
import type { Registry } from 'prom-client';
import { LEASE_MS, type SharingServers } from '@/lib/cluster/server/lease-store';
import { createMakers } from './define';

const defineMetrics = (registry: Registry) => {
  const { counter, gauge } = createMakers(registry);
  return {
    connected: gauge('redis_connected', '1 while messages of other servers reach this one through Redis.'),
    servers: gauge(
      'servers',
      'Servers that share the fleets and sent a heartbeat in the last 4 s, with this one.',
    ),
    owned: gauge('fleets_owned', 'Fleets that this server polls for all.'),
    lag: gauge(
      'poll_lag_seconds',
      'By how much the most overdue fleet of this server is past its interval, whatever the cause.',
    ),
    echo: gauge(
      'redis_echo_delay_seconds',
      "How long this server's newest message to itself took through Redis, or has taken so far.",
    ),
    counters: {
      publishedVersions: counter(
        'published_versions_total',
        'Versions of fleets published for other servers.',
      ),
      publishedBytes: counter('published_bytes_total', 'Bytes of the published versions.'),
      readVersions: counter(
        'read_versions_total',
        'Versions of fleets that other servers published, read here.',
      ),
      readBytes: counter('read_bytes_total', 'Bytes of the versions read.'),
      lostLeases: counter(
        'leases_lost_total',
        'Fleets that this server had to give up: its lease had ended.',
      ),
    },
  };
};

/** Metrics of a server that shares the fleets with others; registered with the first sample of one. */
export const createSharingMetrics = (registry: Registry): ((sharing: SharingServers) => void) => {
  let defined: ReturnType<typeof defineMetrics> | null = null;
  return ({ redisAwayMs, servers, counts }) => {
    const { connected, servers: alive, owned, lag, echo, counters } = (defined ??= defineMetrics(registry));
    const own = servers.find(({ isThis }) => isThis);
    connected.set(redisAwayMs === null ? 1 : 0);
    alive.set(servers.filter(({ silentMs }) => silentMs < LEASE_MS).length);
    owned.set(own?.usdots.length ?? 0);
    lag.set((own?.report?.lagMs ?? 0) / 1000);
    echo.set((own?.report?.echoMs ?? 0) / 1000);
    for (const [name, count] of Object.entries(counters)) {
      // Prometheus expects the total, and takes a smaller one for a new start.
      count.reset();
      count.inc(counts[name as keyof typeof counts]);
    }
  };
};
