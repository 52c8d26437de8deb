import type { IncomingMessage } from 'node:http';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The client's address. Each proxy appends the address it was called from to X-Forwarded-For, and a client may send
 * entries of its own: only the last `trustedProxies` entries are believed, and with none only the socket's address. An
 * IPv4-mapped IPv6 address is returned as IPv4; null where the socket is closed.
 */
export const toClientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null => {
  const forwarded = (forwardedFor ?? '').split(',').filter((part) => part.trim() !== '');
  const chain = socketAddress === undefined ? forwarded : [...forwarded, socketAddress];
  if (socketAddress === undefined && trustedProxies === 0) return null;
  const address = chain[Math.max(0, chain.length - 1 - trustedProxies)]?.trim().toLowerCase();
  return address === undefined ? null : (MAPPED_IPV4.exec(address)?.[1] ?? address);
};

/** The client addresses of a server's requests, kept as long as each request. */
export interface ClientAddresses {
  note(request: Request, incoming: Pick<IncomingMessage, 'headers' | 'socket'>): void;
  read(request: Request): string | null;
}

/** @param trustedProxies number of the owner's own proxies before the server */
export const createClientAddresses = (trustedProxies: number): ClientAddresses => {
  const addresses = new WeakMap<Request, string | null>();
  return {
    note(request, { headers, socket }) {
      const forwardedFor = headers['x-forwarded-for']?.toString();
      addresses.set(request, toClientAddress(socket.remoteAddress, forwardedFor, trustedProxies));
    },
    read: (request) => addresses.get(request) ?? null,
  };
};
