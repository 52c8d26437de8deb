import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from '@/e2e/support/application';
import { systemClock } from '@/lib/base/clock';
import { Publisher } from '@/lib/wire/server/publisher';
import { toLiveResponse } from '@/lib/access/live-response';
import type { MovingFleet } from './moving-fleet';
import type { PageFile } from './page-files';

const LIVE_PATH = /^\/api\/fleets\/[^/]+\/live(?:\?since=(.*))?$/;
/** Longer than any measurement: the page polls only when the bench makes it. */
const NEVER_MS = 60_000;

/** What the browser talks to: the application itself, but for its live answers, which are the bench's. */
export interface Fixture {
  url: string;
  /** The fleet that is served from now on, from its step 0. */
  show(fleet: MovingFleet): void;
  /** The version that is served now. */
  version(): string;
  /** Advances the fleet by one step, for the next answer. Returns the new version. */
  step(): string;
  /** Whether each request advances the fleet. */
  hurry(isHurried: boolean): void;
  close(): Promise<void>;
}

/** The server's own publisher, fed with a moving fleet step by step. */
const createFeed = (fleet: MovingFleet) => {
  const publisher = new Publisher({ versionsKept: 2, slackMs: 0, clock: systemClock });
  const publish = (step: number): void =>
    publisher.publish({ ...fleet.at(step), nextDueAtMs: systemClock.monotonicMs() + NEVER_MS });
  publish(0);
  const answer: Publisher['answer'] = (since, accept) => publisher.answer(since, accept);
  return { publish, answer };
};

const send = (response: ServerResponse, status: number, type: string, body: string | Uint8Array): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
};

/** As the manager who is signed in there. */
const forward = (
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, cookie }: Pick<Application, 'url' | 'cookie'>,
): void => {
  const { method } = incoming;
  const headers = { ...incoming.headers, cookie };
  const outgoing = request(`${url}${incoming.url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.writeHead(502).end());
  incoming.pipe(outgoing);
};

/** Starts the stage on a free port of this machine; `files` by their paths, such as "/peers/layer.html". */
export const startFixture = async (
  application: Pick<Application, 'url' | 'cookie'>,
  files: ReadonlyMap<string, PageFile>,
): Promise<Fixture> => {
  let fleet: MovingFleet | null = null;
  let feed: ReturnType<typeof createFeed> | null = null;
  let isHurried = false;
  let step = 0;

  const answerLive = async (since: string | null, response: ServerResponse): Promise<void> => {
    if (isHurried && since !== null) feed!.publish(++step);
    // Not compressed: on this machine that would only take the browser's processor from it.
    const answer = await toLiveResponse(feed!, since, new Headers(), null);
    const type = answer.headers.get('content-type') ?? '';
    send(response, answer.status, type, new Uint8Array(await answer.arrayBuffer()));
  };

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const file = files.get(path);
    const live = LIVE_PATH.exec(path);
    if (file) send(response, 200, file.type, file.body);
    else if (live && feed) void answerLive(live[1] ? decodeURIComponent(live[1]) : null, response);
    else if (path.startsWith('/api/')) send(response, 404, 'application/json', '{}');
    else if (path.startsWith('/peers/places/') && fleet)
      send(response, 200, 'application/octet-stream', toPlaces(fleet, Number(path.split('/')[3])));
    else forward(incoming, response, application);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (shown) => {
      fleet = shown;
      feed = createFeed(shown);
      step = 0;
    },
    version: () => `bench.${step}`,
    step: () => {
      step += 1;
      feed?.publish(step);
      return `bench.${step}`;
    },
    hurry: (is) => {
      isHurried = is;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Places of all units after a step: their latitudes, then their longitudes, degrees × 100,000 as Int32. */
const toPlaces = (fleet: MovingFleet, step: number): Uint8Array => {
  const { latE5, lngE5 } = fleet.at(step).columns;
  const places = new Int32Array(2 * fleet.units);
  places.set(latE5);
  places.set(lngE5, fleet.units);
  return new Uint8Array(places.buffer);
};
