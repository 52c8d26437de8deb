import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { ClientAddresses } from '../access/client-address';
import { addMissingHeaders, findMalformed, guardServer, sendRefusal, toOriginForm } from './http-server';
import type { ServerTimeouts } from './http-server';
import type { Service } from '../service';

export interface ServeOptions {
  service: Service;
  /** 0 for any that is free. */
  port: number;
  hostname: string;
  /** Told who sends each request, before the service answers it. */
  clients?: Pick<ClientAddresses, 'note'>;
  /** In place of those that every server has, in ms. */
  timeouts?: Partial<ServerTimeouts>;
}

export interface RunningService {
  /** http://host:port, without a slash at its end. */
  url: string;
  /** Takes no new requests, lets those under way end for a while, and then ends them. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** How often connections are compared with the time-outs. */
const CHECK_INTERVAL_MS = 5000;
/** Of every answer: what is opened by itself loads nothing, runs nothing and is framed by nothing. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
/** How long requests under way may take to end once the service is told to close. */
const CLOSE_GRACE_MS = 2_000;

const listen = (server: Server, port: number, hostname: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });

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

/** Runs the service alone, on a port of its own. Rejects when the port cannot be had. */
export const serveService = async (options: ServeOptions): Promise<RunningService> => {
  const { service, port, hostname, clients, timeouts } = options;
  const answer = getRequestListener(
    (request, { incoming }) => {
      clients?.note(request, incoming);
      return service.fetch(request);
    },
    // The globals are those of the process that we run in; a test's, or the launcher's.
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
  await listen(server, port, hostname);
  const { address, port: actualPort } = server.address() as AddressInfo;
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: `http://${host}:${actualPort}`, close: () => closeServer(server) };
};
