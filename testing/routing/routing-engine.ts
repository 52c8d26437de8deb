import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { EngineName } from '@/lib/routing/engine';

/** A request as an engine received it. */
export interface ReceivedRoute {
  method: string;
  /** The path with its query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What an engine answers: the way by the documented format of its kind, or a fault. */
export type RouteBehavior =
  | { way: { meters: number; seconds: number } }
  /** The documented code of a fault: OSRM's `code`, Valhalla's `error_code`. */
  | { fault: string | number }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** It takes the request, and never answers. */
  | 'silent'
  /** It ends the connection in the midst of its answer. */
  | 'breaksOff';

const toWayBody: Readonly<Record<EngineName, (meters: number, seconds: number) => object>> = {
  osrm: (distance, duration) => ({
    code: 'Ok',
    routes: [
      {
        ...{ distance, duration, weight: duration, weight_name: 'routability' },
        legs: [{ distance, duration, weight: duration, summary: '', steps: [] }],
      },
    ],
    waypoints: [
      { hint: 'a', distance: 4.15, name: 'Friedrichstraße', location: [13.388799, 52.517033] },
      { hint: 'b', distance: 5.31, name: 'Torstraße', location: [13.39763, 52.529432] },
    ],
  }),
  valhalla: (meters, time) => ({
    trip: {
      ...{ status: 0, status_message: 'Found route between points', units: 'kilometers', language: 'en-US' },
      legs: [{ shape: 'a', summary: { length: meters / 1000, time } }],
      summary: { has_toll: false, has_highway: true, has_ferry: false, length: meters / 1000, time },
    },
  }),
};

const toFaultBody: Readonly<Record<EngineName, (code: string | number) => object>> = {
  osrm: (code) => ({ code, message: 'Impossible route between points' }),
  valhalla: (code) => ({
    error_code: code,
    error: 'No path could be found for input',
    status_code: 400,
    status: 'Bad Request',
  }),
};

const send = (name: EngineName, behavior: RouteBehavior, response: ServerResponse): void => {
  if (behavior === 'silent') return;
  if (behavior === 'breaksOff') {
    response.writeHead(200, { 'content-length': 1000 }).write('{"code":');
    setImmediate(() => response.destroy());
    return;
  }
  if ('status' in behavior) {
    response.writeHead(behavior.status, behavior.headers).end(behavior.body ?? '');
    return;
  }
  const isWay = 'way' in behavior;
  const body = isWay
    ? toWayBody[name](behavior.way.meters, behavior.way.seconds)
    : toFaultBody[name](behavior.fault);
  response.writeHead(isWay ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** A routing engine on the loopback interface that answers as it is told. */
export const startEngine = async (name: EngineName) => {
  let behave: (request: ReceivedRoute) => RouteBehavior = () => ({
    fault: name === 'osrm' ? 'NoRoute' : 442,
  });
  const received: ReceivedRoute[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body });
    send(name, behave(received.at(-1)!), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}${name === 'osrm' ? '/route/v1/driving' : '/route'}`,
    received,
    behave: (next: RouteBehavior | typeof behave): void => {
      behave = typeof next === 'function' ? next : () => next;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
