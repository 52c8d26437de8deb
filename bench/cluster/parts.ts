import type { Section } from '../support/report';
import { percentile } from '../support/statistics';
import { pollAsBrowsers } from '../server/browsers';
import { POLL_MS } from '../server/plan';
import { readPolls } from '../server/processes';
import { SERVERS, type Plan } from './plan';
import { readMemory, readNamedMs, withCluster, type Cluster } from './servers';

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
  'polls of a fleet in an interval',
  'live after a kill',
];

const readMs = (cluster: Cluster) => [
  cluster.readServersMs(),
  ...['postgres', 'redis-server', 'haproxy'].map(readNamedMs),
];

const measureLoad = async (
  cluster: Cluster,
  { providerUrl, browsers, soakMs }: { providerUrl: string; browsers: number; soakMs: number },
): Promise<{ cells: string[]; shares: number[] }> => {
  const countPolls = async (): Promise<number[]> => {
    const polls = await readPolls(providerUrl);
    return cluster.usdots.map((usdot) => polls[usdot] ?? 0);
  };
  await pollAsBrowsers(cluster, browsers, POLL_MS * 2);
  const [pollsBefore, redisBefore] = [await countPolls(), await cluster.readRedisBytes()];
  const [beforeMs, atMs] = [readMs(cluster), performance.now()];
  const { latenciesMs } = await pollAsBrowsers(cluster, browsers, soakMs);
  const tookMs = performance.now() - atMs;
  const shares = readMs(cluster).map((ms, i) => (ms - beforeMs[i]!) / tookMs);
  const redisBytes = (await cluster.readRedisBytes()) - redisBefore;
  const memory = Math.max(...cluster.servers.map(readMemory));
  const polls = (await countPolls()).map((count, i) => ((count - pollsBefore[i]!) * POLL_MS) / tookMs);
  await cluster.killOne(0);
  const liveMs = await cluster.untilLive(Date.now());
  const cells = [
    ...shares.map((share) => `${(100 * share).toFixed(0)} %`),
    `${(redisBytes / tookMs).toFixed(0)} KB/s`,
    `${(memory / 1e6).toFixed(0)} MB`,
    `${percentile(latenciesMs, 0.99).toFixed(0)} ms`,
    `${Math.min(...polls).toFixed(2)}–${Math.max(...polls).toFixed(2)}`,
    `${(liveMs / 1000).toFixed(1)} s`,
  ];
  return { cells, shares };
};

/** Sections of the cost of each part of an installation by load, and of the load that one processor of each part carries. */
export const measureParts = async (
  providerUrl: string,
  { loads, units, soakMs }: Pick<Plan, 'loads' | 'units' | 'soakMs'>,
): Promise<Section[]> => {
  const rows: string[][] = [];
  let carried: string[][] = [];
  for (const { fleets, browsers } of loads) {
    const { cells, shares } = await withCluster(providerUrl, { servers: SERVERS, fleets }, (cluster) =>
      measureLoad(cluster, { providerUrl, browsers, soakMs }),
    );
    rows.push([String(fleets), String(browsers), ...cells]);
    carried = shares.map((share, i) => [
      COLUMNS[i + 2]!,
      (fleets / share).toFixed(0),
      (browsers / share).toFixed(0),
    ]);
  }
  const about = `${SERVERS} servers, fleets of ${units.toLocaleString('en-US')} units`;
  return [
    {
      title: `What each part needs, ${about}`,
      columns: COLUMNS,
      rows,
      notes: ['Shares are of one processor.'],
    },
    {
      title: `What one processor of each part carries, ${about}`,
      columns: ['part', 'fleets', 'and their browsers'],
      rows: carried,
      notes: ['From the shares of the largest load above.'],
    },
  ];
};
