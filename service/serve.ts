import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  type ClientAddresses,
  addMissingHeaders,
  findMalformed,
  guardServer,
  sendRefusal,
  toOriginForm,
  type ServerTimeouts,
} from './http/http-server';
import type { Service } from './service';

export interface ServeOptions {
  service: Service;
  /** 0 for any that is free. */
  port: number;
  hostname: string;
  /** Notes the client of each request before the service handles it. */
  clients?: Pick<ClientAddresses, 'note'>;
  /** Override SERVER_TIMEOUTS. */
  timeouts?: Partial<ServerTimeouts>;
}

export interface RunningService {
  /** http://host:port, without a slash at its end. */
  url: string;
  /** Accepts no new requests, waits a moment for those under way, then ends them. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** How often connections are checked against the timeouts. */
const CHECK_INTERVAL_MS = 5000;
/** On every response: a response opened as a page loads nothing, runs nothing and may not be framed. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
/** How long requests under way may take once the service closes. */
const CLOSE_GRACE_MS = 2_000;

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close((error) => {
      clearTimeout(cutOff);
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });

/** Runs the service on a port of its own. Rejects when it cannot listen there. */
export const serveService = async (options: ServeOptions): Promise<RunningService> => {
  const { service, port, hostname, clients, timeouts } = options;
  const answer = getRequestListener(
    (request, { incoming }) => {
      clients?.note(request, incoming);
      return service.fetch(request);
    },
    // The globals belong to the process that the service runs in.
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Refused below, with the security headers.
      requireHostHeader: false,
    },
    (request, response) => {
      addMissingHeaders(response, SECURITY_HEADERS);
      toOriginForm(request);
      const refusal = findMalformed(request);
      if (refusal === null) void answer(request, response);
      else sendRefusal(response, refusal);
    },
  );
  guardServer(server, SECURITY_HEADERS, timeouts);
  server.listen(port, hostname);
  // Rejects with the error of a server that cannot listen.
  await once(server, 'listening');
  const { address, port: actualPort } = server.address() as AddressInfo;
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: `http://${host}:${actualPort}`, close: () => closeServer(server) };
};
