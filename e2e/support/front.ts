import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address of an application behind a proxy that can take it away and present it as another build. */
export interface Front {
  url: string;
  /** Breaks every connection, and accepts no more. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  restore(): Promise<void>;
  /** Accepts connections, and answers nothing from here on. */
  stall(): void;
  /** From here on, every answer names this build. */
  deploy(build: string): void;
  close(): Promise<void>;
}

const TEXT = /html|javascript|x-component/;

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const replaceIn = (headers: IncomingHttpHeaders, from: string, to: string): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(from, to) : value,
    ]),
  );

/** @param ownBuild the build that the application itself names */
export const startFront = async (applicationUrl: string, ownBuild: string): Promise<Front> => {
  let build = ownBuild;
  let isStalled = false;
  const server = createServer((incoming, response) => {
    if (isStalled) return;
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const options = { method: incoming.method, headers };
    const outgoing = request(`${applicationUrl}${incoming.url}`, options, async (answer) => {
      const isText = TEXT.test(answer.headers['content-type'] ?? '');
      const { 'transfer-encoding': _, ...named } = replaceIn(answer.headers, ownBuild, build);
      const body = await readBody(answer);
      const sent = isText ? Buffer.from(body.toString().replaceAll(ownBuild, build)) : body;
      if (answer.statusCode !== 304) named['content-length'] = String(sent.length);
      response.writeHead(answer.statusCode ?? 502, named).end(sent);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    restore: () => listen(port),
    stall: () => {
      isStalled = true;
    },
    deploy: (next) => {
      build = next;
    },
    close: cut,
  };
};
