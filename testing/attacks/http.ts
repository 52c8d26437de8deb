import { once } from 'node:events';
import { request as sendRequest, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastRoutes } from '@/server/http/fast-path';
import { createHttpServer } from '@/server/http/http-server';
import { createLog, createSecretRedactor } from '@/lib/base/log';

export interface Listening {
  port: number;
  close: () => void;
}

/** The application's HTTP server behind so many proxies, with some of its routes; its log goes to `logged`. */
export const listenTo = async ({
  trustedProxies,
  fastRoutes = {},
  next = (_, response) => void response.writeHead(404).end('Next.js'),
  logged,
}: {
  trustedProxies: number;
  fastRoutes?: Partial<FastRoutes>;
  next?: RequestListener;
  logged: string[];
}): Promise<Listening> => {
  const unused = async () => new Response('another route');
  const http = createHttpServer({
    env: { trustedProxies, clientRequestsPerS: null, publicUrl: null, tiles: null },
    log: createLog(createSecretRedactor(), 'debug', { write: (line) => void logged.push(line) }),
    ...{ limits: null, metrics: null, root: null, sharedFiles: null, nextUpgrade: null },
    readStartAddress: async () => null,
    fastRoutes: {
      live: unused,
      past: unused,
      share: unused,
      calendar: unused,
      endMails: unused,
      ...fastRoutes,
    },
    tracking: (_, response) => void response.end(),
    next,
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const close = (): void => {
    http.closeAllConnections();
    http.close();
  };
  return { port: (http.address() as AddressInfo).port, close };
};

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  tookMs: number;
}

let clients = 0;

/** Sends a request whose path is sent as it is, from a client of its own if a proxy names it. */
export const sendTo = (
  { port }: Pick<Listening, 'port'>,
  path: string,
  { method = 'GET', headers = {}, body = '' } = {} as {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    clients += 1;
    const address = `198.51.${Math.floor(clients / 250)}.${clients % 250}`;
    const sent = sendRequest(
      { port, host: '127.0.0.1', path, method, headers: { 'x-forwarded-for': address, ...headers } },
      async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        resolve({
          ...{ status: response.statusCode!, headers: response.headers },
          text: Buffer.concat(parts).toString('utf8'),
          tookMs: performance.now() - startedMs,
        });
      },
    );
    sent.on('error', reject).end(body);
  });

/** What differs between two answers that are the same. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'keep-alive'];
export const headersOf = ({ headers }: Answer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.includes(name)));
/** What two answers that are the same have in common. */
export const sentOf = (answer: Answer): unknown[] => [answer.status, headersOf(answer), answer.text];
