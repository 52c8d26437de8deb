import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestProvider {
  baseUrl: string;
  /** The requests that arrived, oldest first. */
  requests: IncomingMessage[];
  /** Stops listening until `accept`: connections are refused, open ones are cut. */
  refuse: () => Promise<void>;
  /** Listens again, on the same port. */
  accept: () => Promise<void>;
  close: () => Promise<void>;
}

/** An HTTP server on the loopback interface with programmable faults. */
export const startProvider = async (answer: RequestListener): Promise<TestProvider> => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(void server.off('error', reject)));
    });
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      // A server that does not listen counts as closed.
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    refuse,
    accept: () => listen(port),
    close: refuse,
  };
};
