import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Ports of one run: an application for each target, and the tracking service that stands alone. */
export interface Ports {
  embedded: number;
  external: number;
  service: number;
}

const VARIABLE = 'E2E_PORTS';

const listenAnywhere = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

const toPort = (server: Server): number => (server.address() as AddressInfo).port;

/** Ports on which nobody listens now, all different. */
export const findFreePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
  const ports = servers.map(toPort);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
};

/**
 * Free ports, chosen where they are first asked for and handed down by the environment: Playwright's workers and
 * the servers that it starts all read the configuration again, and must come to the same numbers.
 */
export const providePorts = async (): Promise<Ports> => {
  const known = process.env[VARIABLE];
  if (known) return JSON.parse(known) as Ports;
  const [embedded, external, service] = (await findFreePorts(3)) as [number, number, number];
  const ports = { embedded, external, service };
  process.env[VARIABLE] = JSON.stringify(ports);
  return ports;
};
