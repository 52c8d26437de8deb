import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestProvider {
  baseUrl: string;
  /** The requests that arrived, oldest first. */
  requests: IncomingMessage[];
  close: () => Promise<void>;
}

/** An HTTP server on the loopback interface that misbehaves as it is told to. */
export const startProvider = async (answer: RequestListener): Promise<TestProvider> => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
