import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BENCH_USDOT, POLL_MS } from './plan';

/** In place of a status where the connection ended before the answer was complete. */
const NO_ANSWER = 0;

/** What came of one request. */
interface Answer {
  status: number;
  version: string | null;
  bytes: number;
}

export interface Polling {
  latenciesMs: number[];
  bytes: number;
  statuses: Map<number, number>;
}

/** Who is polled, and as whom. */
export interface Polled {
  url: string;
  /** Of a session; empty where no sign-in is needed. */
  cookie: string;
  /** The fleets that the browsers show, in turn; by default the one of the bench. */
  usdots?: readonly string[];
}

const readAnswer = (url: string, headers: Record<string, string>, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'accept-encoding': 'br', ...headers } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        const version = /^W\/"(.*)"$/.exec(response.headers.etag ?? '')?.[1] ?? null;
        resolve({ status: response.statusCode ?? 0, version, bytes });
      });
      response.on('error', () => resolve({ status: NO_ANSWER, version: null, bytes }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // As a browser does: the server may end an idle connection in the moment in which it is used again.
      const wasIdle = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      if (wasIdle) readAnswer(url, headers, agent).then(resolve, reject);
      else resolve({ status: NO_ANSWER, version: null, bytes: 0 });
    });
    sent.end();
  });

const toUrl = (baseUrl: string, since: string | null, usdot = BENCH_USDOT): string =>
  `${baseUrl}/api/fleets/${usdot}/live${since === null ? '' : `?since=${since}`}`;

/** The version that a browser would hold after its first answer. */
export const readVersion = async ({ url, cookie }: Polled): Promise<string> => {
  const { version } = await readAnswer(toUrl(url, null), { cookie }, new Agent());
  if (version === null) throw new Error('The live answer has no version.');
  return version;
};

/**
 * Browsers that poll every POLL_MS, each at its own moment and from the version that it holds, for so long. A
 * request is due when it is due, however long the one before took: waiting counts.
 */
export const pollAsBrowsers = async (
  { url, cookie, usdots = [BENCH_USDOT] }: Polled,
  browsers: number,
  forMs: number,
): Promise<Polling> => {
  const agent = new Agent({ keepAlive: true, maxSockets: browsers });
  const polling: Polling = { latenciesMs: [], bytes: 0, statuses: new Map() };
  const startedAt = performance.now();

  const browse = async (browser: number): Promise<void> => {
    let since: string | null = null;
    for (
      let dueAt = startedAt + (browser / browsers) * POLL_MS;
      dueAt < startedAt + forMs;
      dueAt += POLL_MS
    ) {
      await sleep(Math.max(0, dueAt - performance.now()));
      const { status, version, bytes } = await readAnswer(
        toUrl(url, since, usdots[browser % usdots.length]),
        { cookie },
        agent,
      );
      // The first answer is the whole fleet, which a browser waits for once a day.
      if (since !== null) polling.latenciesMs.push(performance.now() - dueAt);
      polling.bytes += bytes;
      polling.statuses.set(status, (polling.statuses.get(status) ?? 0) + 1);
      since = version ?? since;
    }
  };
  await Promise.all(Array.from({ length: browsers }, (_, browser) => browse(browser)));
  agent.destroy();
  return polling;
};

/** Opens an address evenly so many times a minute, each time from another network, for so long. */
export const openAsCustomers = async (
  url: string,
  perMinute: number,
  forMs: number,
): Promise<{ latenciesMs: number[]; failed: number }> => {
  const agent = new Agent({ keepAlive: true });
  const latenciesMs: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const everyMs = 60_000 / perMinute;

  const open = async (dueAt: number, opening: number): Promise<void> => {
    const network = `10.${(opening >> 8) & 255}.${opening & 255}.1`;
    const { status } = await readAnswer(url, { 'x-forwarded-for': network }, agent);
    if (status !== 200) failed += 1;
    latenciesMs.push(performance.now() - dueAt);
  };
  const opened: Promise<void>[] = [];
  for (let opening = 0; opening * everyMs < forMs; opening += 1) {
    const dueAt = startedAt + opening * everyMs;
    await sleep(Math.max(0, dueAt - performance.now()));
    opened.push(open(dueAt, opening));
  }
  await Promise.all(opened);
  agent.destroy();
  return { latenciesMs, failed };
};
