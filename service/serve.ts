import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { ClientAddresses } from './access/client-address';
import type { Service } from './service';

export interface ServeOptions {
  service: Service;
  /** 0 for any that is free. */
  port: number;
  hostname: string;
  /** Told who sends each request, before the service answers it. */
  clients?: Pick<ClientAddresses, 'note'>;
}

export interface RunningService {
  /** http://host:port, without a slash at its end. */
  url: string;
  /** Takes no new requests, lets those under way end for a while, and then ends them. */
  close(): Promise<void>;
}

/** A client that has not sent its headers, or its whole request, in this time is cut off. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual poll, so that a poller keeps its connection. */
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
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
  const { service, port, hostname, clients } = options;
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => {
      clients?.note(request, incoming);
      return service.fetch(request);
    },
    // The globals are those of the process that we run in; a test's, or the launcher's.
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  }) as Server;
  await listen(server, port, hostname);
  const { address, port: actualPort } = server.address() as AddressInfo;
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: `http://${host}:${actualPort}`, close: () => closeServer(server) };
};
