/** What a browser sees of servers behind deploy/haproxy.cfg that come, go and fail. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBalancer, type Balancer } from './balancer';
import { IS_LONG } from './long';

const LIVE = '/api/fleets/1000001/live';

/** A stand-in for a server of Linehaul: ready, and answers with its name and the headers that it got. */
const startStandIn = async (name: string) => {
  const requests: string[] = [];
  let answer = ({ headers }: IncomingMessage, response: ServerResponse) =>
    void response.end(JSON.stringify({ name, headers }));
  let readyStatus = 200;
  const server: Server = createServer((request, response) => {
    if (request.url === '/api/health/ready') return void response.writeHead(readyStatus).end();
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const usual = answer;
  return {
    name,
    port,
    requests,
    setReady: (isReady: boolean) => void (readyStatus = isReady ? 200 : 503),
    setAnswer: (next: typeof answer | null) => void (answer = next ?? usual),
    /** As the kernel does for a process that is killed. */
    kill: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    restart: () => listen(port),
  };
};

type StandIn = Awaited<ReturnType<typeof startStandIn>>;

let servers: [StandIn, StandIn, StandIn];
let balancer: Balancer;

const ask = (path: string, init?: RequestInit) => fetch(`${balancer.url}${path}`, init);
const askName = async (): Promise<string> => {
  const response = await ask('/');
  expect(response.status).toBe(200);
  return ((await response.json()) as { name: string }).name;
};
/** Until the balancer sends requests to these servers and to no other. */
const untilUsed = async (used: StandIn[]) => {
  const names = used.map(({ name }) => name).sort();
  await expect
    .poll(async () => [...new Set(await Promise.all(Array.from({ length: 12 }, askName)))].sort(), {
      timeout: 10_000,
    })
    .toEqual(names);
};

beforeAll(async () => {
  servers = [await startStandIn('a'), await startStandIn('b'), await startStandIn('c')];
  balancer = await startBalancer({ servers: servers.map(({ port }) => port) });
});
afterAll(async () => {
  await balancer.stop();
  await Promise.all(servers.map(({ kill }) => kill()));
});
beforeEach(async () => {
  for (const server of servers) {
    server.setAnswer(null);
    server.setReady(true);
  }
  await untilUsed(servers);
  for (const server of servers) server.requests.length = 0;
});

describe('deploy/haproxy.cfg', () => {
  it('replaces what a client sends about itself, and passes the host', async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    const { headers } = (await (await ask('/', { headers: forged })).json()) as { headers: object };
    const { host } = new URL(balancer.url);
    expect(headers).toMatchObject({
      host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http',
    });
  });

  it('refuses reports over http, and leads browsers to https', async () => {
    const open = (path: string) => fetch(`${balancer.plainUrl}${path}`, { redirect: 'manual' });
    expect((await open('/tracking/ingest/TOKEN/osmand')).status).toBe(403);
    const led = await open('/fleets/1');
    expect(led.status).toBe(308);
    expect(led.headers.get('location')).toBe(`${balancer.plainUrl.replace('http:', 'https:')}/fleets/1`);
  });

  it('shows no browser that a server was killed, and uses it again when it is back', async () => {
    const [killed, ...left] = servers;
    await killed.kill();
    // Before the first check fails, with changes too: nothing was sent to the killed server.
    for (let i = 0; i < 12; i++)
      expect((await ask('/', { method: i % 2 ? 'POST' : 'GET' })).status).toBe(200);
    await untilUsed(left);
    await killed.restart();
    await untilUsed(servers);
  });

  it('repeats a read whose server is killed meanwhile, and no change', async () => {
    const [killed] = servers;
    killed.setAnswer(({ socket }) => void socket.destroy());
    const names = await Promise.all(Array.from({ length: 30 }, askName));
    expect(killed.requests).not.toEqual([]);
    expect(names).not.toContain(killed.name);
    for (const { requests } of servers) requests.length = 0;
    // A connection that was used before is closed without an answer.
    const isDone = () =>
      ask('/', { method: 'POST' }).then(
        ({ ok }) => ok,
        () => false,
      );
    expect((await Promise.all([1, 2, 3].map(isDone))).sort()).toEqual([false, true, true]);
    expect(servers.map(({ requests }) => requests)).toEqual([['POST /'], ['POST /'], ['POST /']]);
  });

  it('logs that a request failed, without its address, which may hold a token', async () => {
    servers[0].setAnswer(({ socket }) => void socket.destroy());
    const before = balancer.log().length;
    const path = '/tracking/ingest/PLANTED-TOKEN/osmand';
    const headers = { authorization: 'PLANTED-TOKEN' };
    await Promise.all([1, 2, 3].map(() => ask(path, { headers })));
    const readNew = () => balancer.log().slice(before);
    await expect.poll(readNew).toMatch(/^127\.0\.0\.1 GET 200 -- server=linehaul-\d retries=\+1 /m);
    expect(readNew()).not.toContain('PLANTED-TOKEN');
  });

  it('sends no request to a server that is not ready', async () => {
    servers[1].setReady(false);
    await untilUsed([servers[0], servers[2]]);
  });

  // It waits for the 9 s after which HAProxy gives up.
  it.runIf(IS_LONG)(
    'sends the live poll of a server that hangs to the next one before a browser gives up',
    async () => {
      const [hung, ...left] = servers;
      hung.setAnswer(() => undefined);
      const polls = await Promise.all(
        [1, 2, 3].map(() => ask(LIVE, { signal: AbortSignal.timeout(20_000) })),
      );
      expect(polls.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(hung.requests).toEqual([`GET ${LIVE}`]);
      expect(left.flatMap(({ requests }) => requests)).toHaveLength(3);
    },
  );
});
