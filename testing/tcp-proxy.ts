import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A route to a server of this machine that a test can cut: for its clients the server is then gone. */
export interface TcpProxy {
  port: number;
  /** Breaks every connection, and accepts no more. */
  cut(): Promise<void>;
  /** Passes nothing on, while every connection stays open and new ones are accepted. */
  stall(): void;
  /** Accepts connections again; those that were stalled are broken. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Begins cut when `isCut`. */
export const startTcpProxy = async (
  targetPort: number,
  { isCut = false }: { isCut?: boolean } = {},
): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const createGate = () =>
    new Transform({ transform: (bytes, _, done) => done(null, isStalled ? undefined : bytes) });
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    // Either side's end closes both.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    keep(near);
    keep(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(createGate()).pipe(far);
    far.pipe(createGate()).pipe(near);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;

  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    breakAll();
    await closed;
  };
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  const stall = (): void => void (isStalled = true);
  const restore = async (): Promise<void> => {
    if (!isStalled) return listen(port);
    isStalled = false;
    breakAll();
  };
  if (isCut) await cut();
  return { port, cut, stall, restore, close: cut };
};

/** A database's URL through the proxy. */
export const throughProxy = (databaseUrl: string, { port }: TcpProxy): string => {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return url.href;
};
