import type { Section } from '../support/report';
import { percentile } from '../support/statistics';
import { pollAsBrowsers } from '../server/browsers';
import { POLL_MS } from '../server/plan';
import { SERVERS } from './plan';
import type { Plan } from './plan';
import { readMemory, readNamedMs, withCluster } from './servers';
import type { Cluster } from './servers';

const COLUMNS = [
  'fleets',
  'browsers',
  'servers together',
  'PostgreSQL',
  'Redis',
  'HAProxy',
  'Redis, bytes',
  'largest server',
  'latency, p99',
];

const readMs = (cluster: Cluster) => [
  cluster.readServersMs(),
  ...['postgres', 'redis-server', 'haproxy'].map(readNamedMs),
];

const measureLoad = async (cluster: Cluster, browsers: number, soakMs: number): Promise<string[]> => {
  await pollAsBrowsers(cluster, browsers, POLL_MS * 2);
  const [beforeMs, redisBefore, atMs] = [readMs(cluster), await cluster.readRedisBytes(), performance.now()];
  const { latenciesMs } = await pollAsBrowsers(cluster, browsers, soakMs);
  const tookMs = performance.now() - atMs;
  const shares = readMs(cluster).map((ms, i) => `${((100 * (ms - beforeMs[i]!)) / tookMs).toFixed(0)} %`);
  const redisBytes = (await cluster.readRedisBytes()) - redisBefore;
  return [
    ...shares,
    `${(redisBytes / tookMs).toFixed(0)} KB/s`,
    `${(Math.max(...cluster.servers.map(readMemory)) / 1e6).toFixed(0)} MB`,
    `${percentile(latenciesMs, 0.99).toFixed(0)} ms`,
  ];
};

/** What each part of an installation needs with more and more fleets. */
export const measureParts = async (
  providerUrl: string,
  { loads, units, soakMs }: Pick<Plan, 'loads' | 'units' | 'soakMs'>,
): Promise<Section> => {
  const rows: string[][] = [];
  for (const { fleets, browsers } of loads)
    rows.push([
      String(fleets),
      String(browsers),
      ...(await withCluster(providerUrl, { servers: SERVERS, fleets }, (cluster) =>
        measureLoad(cluster, browsers, soakMs),
      )),
    ]);
  return {
    title: `What each part needs, ${SERVERS} servers, fleets of ${units.toLocaleString('en-US')} units`,
    columns: COLUMNS,
    rows,
    notes: ['Shares are of one processor.'],
  };
};
