import type { IncomingMessage } from 'node:http';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Who asks, told by address. Each proxy adds to the end of X-Forwarded-For whom it was asked by, and whoever asks may
 * have written what stands before: so of a chain of `trustedProxies` only that many entries from its end are believed,
 * and with none only the address of the socket. An IPv4 address that is written as IPv6 is given as what it is; null
 * where the socket is gone already.
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

/** Who sent the requests of a server, for as long as each request lives. */
export interface ClientAddresses {
  note(request: Request, incoming: Pick<IncomingMessage, 'headers' | 'socket'>): void;
  read(request: Request): string | null;
}

/** @param trustedProxies how many proxies of the owner's stand before the server */
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
