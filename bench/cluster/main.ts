/**
 * `npm run bench:cluster`: what three servers behind a balancer cost beside one process, what Redis and the provider have
 * to carry, how soon browsers are live after a server is killed, and what one processor of each part carries. With --smoke
 * small fleets, and no result is kept. Nor is one of a machine whose processors had no time left: it says nothing of the
 * servers.
 */
import { cpus, loadavg } from 'node:os';
import { atMost, publishReport, toMarkdown, toSection, type Figure, type Section } from '../support/report';
import { median, percentile } from '../support/statistics';
import { pollAsBrowsers, type Polling } from '../server/browsers';
import { POLL_MS } from '../server/plan';
import { readPolls, startProgram } from '../server/processes';
import { FULL_PLAN, SERVERS, SMOKE_PLAN } from './plan';
import { measureParts } from './parts';
import { readMetric, withCluster, type Cluster } from './servers';

const isSmoke = process.argv.includes('--smoke');
const plan = isSmoke ? SMOKE_PLAN : FULL_PLAN;
/** One process has room for half of the fleets; each has as many browsers as with three servers. */
const HALF = { fleets: plan.fleets / 2, browsers: plan.browsers / 2 };
/** Below this share of idle time, latencies are those of the machine. */
const LEAST_IDLE = 0.03;

const readProcessorTimes = (): { idleMs: number; allMs: number } => {
  const times = cpus().map((cpu) => cpu.times);
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0);
  return {
    idleMs,
    allMs: times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0),
  };
};

const countFailed = ({ statuses }: Polling): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (status === 200 || status === 304 ? 0 : count), 0);

const sumOf = async (cluster: Cluster, metric: string): Promise<number> =>
  (await Promise.all(cluster.servers.map((server) => readMetric(server, metric)))).reduce((a, b) => a + b);

const plainly = (what: string, measured: string): Figure => ({ what, measured, target: '', isMet: null });

let wasTooSmall = false;

/** What the browsers of a cluster get, and what it costs. */
const measurePolling = async (cluster: Cluster, providerUrl: string, browsers: number) => {
  await pollAsBrowsers(cluster, browsers, POLL_MS * 2);
  const published = () => sumOf(cluster, 'linehaul_published_bytes_total');
  const before = {
    polls: await readPolls(providerUrl),
    bytes: await published(),
    redis: await cluster.readRedisBytes(),
    serversMs: cluster.readServersMs(),
    processors: readProcessorTimes(),
    atMs: performance.now(),
  };
  const polling = await pollAsBrowsers(cluster, browsers, plan.soakMs);
  const tookMs = performance.now() - before.atMs;
  const { idleMs, allMs } = readProcessorTimes();
  const idleShare = (idleMs - before.processors.idleMs) / (allMs - before.processors.allMs);
  if (idleShare < LEAST_IDLE) wasTooSmall = true;
  const after = await readPolls(providerUrl);
  return {
    polling,
    intervals: tookMs / POLL_MS,
    polls: cluster.usdots.map((usdot) => after[usdot]! - before.polls[usdot]!),
    publishedBytes: (await published()) - before.bytes,
    redisBytes: (await cluster.readRedisBytes()) - before.redis,
    /** Of a processor, for each browser. */
    shareOfBrowser: (cluster.readServersMs() - before.serversMs) / tookMs / browsers,
  };
};

/** Browsers go on polling while one server after another is killed and started again. */
const measureKills = async (cluster: Cluster): Promise<Section> => {
  const tooksMs: number[] = [];
  const killAll = async (): Promise<void> => {
    for (let kill = 0; kill < plan.kills; kill++) {
      const restart = await cluster.killOne(kill % SERVERS);
      tooksMs.push(await cluster.untilLive(Date.now()));
      console.log(`kill ${kill + 1} of ${plan.kills}: live after ${(tooksMs.at(-1)! / 1000).toFixed(1)} s`);
      await restart();
      await cluster.untilLive(Date.now());
    }
  };
  const killed = killAll();
  let isOver = false;
  void killed.finally(() => (isOver = true));
  let [requests, failed] = [0, 0];
  while (!isOver) {
    const polling = await pollAsBrowsers(cluster, plan.browsers / 10, POLL_MS * 2);
    requests += polling.latenciesMs.length;
    failed += countFailed(polling);
  }
  await killed;
  return toSection(`${plan.kills} kills, one server after another`, [
    atMost('until every fleet is live again, longest', Math.max(...tooksMs) / 1000, 10, 's'),
    plainly('… median', `${(median(tooksMs) / 1000).toFixed(1)} s`),
    atMost(`failed of ${requests} requests of browsers`, failed, 0, 'requests', 0),
  ]);
};

const measureThree = async (providerUrl: string): Promise<Section[]> => {
  const { three, kills } = await withCluster(
    providerUrl,
    { servers: SERVERS, fleets: plan.fleets },
    async (cluster) => ({
      three: await measurePolling(cluster, providerUrl, plan.browsers),
      kills: await measureKills(cluster),
    }),
  );
  const one = await withCluster(providerUrl, { servers: 1, fleets: HALF.fleets, isAlone: true }, (cluster) =>
    measurePolling(cluster, providerUrl, HALF.browsers),
  );
  const { latenciesMs } = three.polling;
  const [least, most] = [Math.min(...three.polls), Math.max(...three.polls)];
  const polling = toSection(
    `${SERVERS} servers, ${plan.fleets} fleets of ${plan.units.toLocaleString('en-US')} units, ${plan.browsers.toLocaleString('en-US')} browsers`,
    [
      atMost('latency of a poll, p99', percentile(latenciesMs, 0.99), 100, 'ms'),
      plainly('… p50', `${median(latenciesMs).toFixed(1)} ms`),
      atMost(`failed of ${latenciesMs.length} requests`, countFailed(three.polling), 0, 'requests', 0),
      {
        what: `requests to the provider for a fleet in ${three.intervals.toFixed(1)} intervals`,
        measured: `${least} to ${most}`,
        // One more or less where the first and the last interval are cut.
        target: 'one for each interval',
        isMet: least >= Math.floor(three.intervals) - 1 && most <= Math.ceil(three.intervals) + 1,
      },
      atMost(
        'bytes to and from Redis, by those of the versions × servers',
        three.redisBytes / (three.publishedBytes * SERVERS),
        1.2,
        'times',
        2,
      ),
      plainly('… a second', `${(three.redisBytes / three.intervals / POLL_MS / 1000).toFixed(2)} MB`),
      atMost(
        'processor time for a browser, by that of one process',
        three.shareOfBrowser / one.shareOfBrowser,
        1.3,
        'times',
        2,
      ),
      plainly(
        '… of all servers',
        `${(three.shareOfBrowser * plan.browsers * 100).toFixed(0)} % of a processor`,
      ),
      plainly(
        'latency by one process, p50 and p99',
        `${median(one.polling.latenciesMs).toFixed(1)} and ${percentile(one.polling.latenciesMs, 0.99).toFixed(1)} ms`,
      ),
    ],
    [
      'Provider, browsers, HAProxy, PostgreSQL, Redis and servers share the processors. Latency counts from when the request was due.',
      `One process has ${HALF.fleets} of the fleets and ${HALF.browsers.toLocaleString('en-US')} browsers without HAProxy and Redis, so that each fleet has as many.`,
    ],
  );
  return [polling, kills];
};

const startedAtMs = Date.now();
const readLoad = (): string => loadavg()[0]!.toFixed(1);
const loadBefore = readLoad();
const provider = await startProgram('provider.ts', [plan.units, POLL_MS]);
try {
  const sections = [...(await measureThree(provider.url)), ...(await measureParts(provider.url, plan))];
  const about = `The production build behind HAProxy with deploy/haproxy.cfg, round robin, all on one machine. Load average before and after the run: ${loadBefore} and ${readLoad()}.`;
  publishReport('cluster', toMarkdown('Several servers', about, sections, startedAtMs), {
    isKept: !isSmoke && !wasTooSmall,
  });
  if (wasTooSmall) console.log('Not kept: the processors had no time left.');
} finally {
  await provider.stop();
}
process.exit();
