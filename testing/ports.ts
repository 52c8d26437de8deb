import { createServer, type Server } from 'node:net';

/** Below the ports that the system gives to connections, one of which could be taken before its program listens. */
const RANGE = { from: 20_000, count: 12_000 };

/** Null where another program listens. */
const listen = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(null));
    server.listen(port, () => resolve(server));
  });

/** Ports on which no program listens now, all different. */
export const findFreePorts = async (count: number): Promise<number[]> => {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = RANGE.from + Math.floor(Math.random() * RANGE.count);
    const server = await listen(port);
    if (server) servers.set(port, server);
  }
  await Promise.all([...servers.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  return [...servers.keys()];
};
