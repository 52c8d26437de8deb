import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { stopProgram } from '@/e2e/support/programs';
import { startServer, type Server } from '@/e2e/support/servers';
import { signInAsManager } from '@/e2e/support/session';
import { openPostgres } from '@/lib/database/embedded/embedded-postgres';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { startBalancer } from '@/testing/balancer';
import { findFreePorts } from '@/testing/ports';
import { startRedis } from '@/testing/redis-server';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { BENCH_USDOT, POLL_MS } from '../server/plan';
import type { Polled } from '../server/browsers';

/** A clock tick of /proc, of which Linux has 100 a second. */
const TICK_MS = 10;
const FIRST_ANSWER_MS = 60_000;
const METRICS_TOKEN = randomBytes(16).toString('hex');

/** Processor time of a process so far, ms: user and system, of all its threads and of its children that have ended. */
const readProcessorMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
};

/** Processor time of all processes with a name so far, ms. */
export const readNamedMs = (name: string): number => {
  const timeOf = (pid: string): number => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name ? readProcessorMs(Number(pid)) : 0;
    } catch {
      // It ended meanwhile.
      return 0;
    }
  };
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .reduce((sum, pid) => sum + timeOf(pid), 0);
};

/** Memory of a server, bytes. */
export const readMemory = ({ program }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))![1]) * 1024;

/** A counter of a server's /metrics; 0 if there is none. */
export const readMetric = async ({ url }: Server, name: string): Promise<number> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
};

/** Bytes to and from Redis since it started, without those of replication. */
const readRedisBytes = async (url: string): Promise<number> => {
  const client = await createClient({ url }).connect();
  const info = await client.info('stats');
  client.destroy();
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)![1]);
  return read('total_net_input_bytes') + read('total_net_output_bytes');
};

export interface Cluster extends Polled {
  servers: Server[];
  usdots: readonly string[];
  readRedisBytes(): Promise<number>;
  /** Processor time of all servers so far, ms. */
  readServersMs(): number;
  /** Kills a server; the result starts it again. */
  killOne(index: number): Promise<() => Promise<void>>;
  /** Ms until each fleet is shown as of after `sinceMs`, asked through the balancer. */
  untilLive(sinceMs: number): Promise<number>;
  stop(): Promise<void>;
}

/** So many servers of the production build with one PostgreSQL, one Redis if there are several, and HAProxy. */
const startCluster = async (
  providerUrl: string,
  { servers: count, fleets, isAlone = false }: { servers: number; fleets: number; isAlone?: boolean },
): Promise<Cluster> => {
  const folder = createScratchFolder('linehaul-bench-');
  const postgres = await openPostgres({
    root: folder,
    dataFolder: folder,
    purpose: 'a bench',
    durable: false,
  });
  const [redisPort, ...ports] = (await findFreePorts(count + 1)) as [number, ...number[]];
  const redis = isAlone ? null : await startRedis(redisPort);
  const variables: Record<string, string> = {
    TRACKING_BASE_URL: providerUrl,
    TRACKING_API_KEY: 'bench',
    TRACKING_PROVIDER_TOKEN: 'bench',
    DATABASE_URL: postgres.databaseUrl,
    LINEHAUL_DATA_DIR: folder,
    HISTORY_DIR: join(folder, 'history'),
    AUTH_SECRET: randomBytes(32).toString('hex'),
    METRICS_TOKEN,
    MAP_TILES_URL: 'none',
    POLL_INTERVAL_MS: String(POLL_MS),
    // One address plays thousands of browsers.
    CLIENT_REQUESTS_PER_S: '0',
    LINEHAUL_TEST_TRACKING_PAGE_CALLS_PER_S: '0',
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
  };
  const toLog = (index: number): string => join(folder, `server-${index}.log`);
  const start = (index: number) => startServer({ ...variables, PORT: String(ports[index]) }, toLog(index));
  // The first one makes the tables.
  const first = await start(0);
  const servers = [first, ...(await Promise.all(ports.slice(1).map((_, index) => start(index + 1))))];
  const cookie = await signInAsManager(first.url, () => readFileSync(toLog(0), 'utf8'));
  const balancer = await startBalancer({ servers: ports });
  const { url } = isAlone ? first : balancer;
  const usdots = Array.from({ length: fleets }, (_, index) => String(Number(BENCH_USDOT) + index));

  const readFetchedAtMs = async (usdot: string): Promise<number> => {
    const response = await fetch(`${url}/api/fleets/${usdot}/live`, { headers: { cookie } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.ok ? (fromLiveBytes(bytes).feed.fetchedAtMs ?? 0) : 0;
  };
  const untilLive = async (sinceMs: number): Promise<number> => {
    const startedAtMs = performance.now();
    for (const usdot of usdots)
      while ((await readFetchedAtMs(usdot)) <= sinceMs) {
        if (performance.now() - startedAtMs > FIRST_ANSWER_MS)
          throw new Error(`USDOT ${usdot} was not live within ${FIRST_ANSWER_MS} ms.`);
        await sleep(100);
      }
    return performance.now() - startedAtMs;
  };
  await untilLive(0);

  return {
    url,
    cookie,
    usdots,
    servers,
    readRedisBytes: () => (redis === null ? Promise.resolve(0) : readRedisBytes(redis.url)),
    readServersMs: () => servers.reduce((sum, { program }) => sum + readProcessorMs(program.pid!), 0),
    killOne: async (index) => {
      const { program } = servers[index]!;
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
      return async () => void (servers[index] = await start(index));
    },
    untilLive,
    stop: async () => {
      await balancer.stop();
      await Promise.all(servers.map(({ program }) => stopProgram(program)));
      await redis?.stop();
      await postgres.stop();
      await removeScratchFolder(folder);
    },
  };
};

/** Starts a cluster for a measurement, and ends it. */
export const withCluster = async <T>(
  providerUrl: string,
  options: Parameters<typeof startCluster>[1],
  measure: (cluster: Cluster) => Promise<T>,
): Promise<T> => {
  const cluster = await startCluster(providerUrl, options);
  try {
    return await measure(cluster);
  } finally {
    await cluster.stop();
  }
};
