import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a receiver answers: with a status, or as it writes itself. */
type Answer = number | ((response: ServerResponse) => void);

/** A program that takes messages on this machine; `answer` gives the answer to each request by its number, from 0. */
export const startReceiver = async (answer: (count: number) => Answer = () => 204, port = 0) => {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const how = answer(received.length);
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      if (typeof how === 'number') response.writeHead(how).end();
      else how(response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    received,
    port: bound,
    url: `http://127.0.0.1:${bound}/alerts`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
