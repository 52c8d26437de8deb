import 'server-only';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** What one subscriber is given of IPv6 (RFC 6177): its hosts are one client. */
const SUBSCRIBER_GROUPS = 4;

/** An IPv6 address as its network of 64 bits: "2001:db8:0:1::/64". */
const toNetwork = (address: string): string => {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = !tail ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, SUBSCRIBER_GROUPS).join(':')}::/64`;
};

const normalise = (address: string): string => {
  const plain = address.trim().toLowerCase();
  const mapped = MAPPED_IPV4.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return plain.includes(':') ? toNetwork(plain) : plain;
};

/**
 * Who asks, told by address. Each proxy adds to the end of X-Forwarded-For whom it was asked by, and whoever asks may
 * have written what stands before: so of a chain of `trustedProxies` only that many entries from its end are believed,
 * and with none only the address of the socket.
 */
export const toClientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string => {
  const chain = [
    ...(forwardedFor ?? '').split(',').filter((part) => part.trim() !== ''),
    socketAddress ?? 'unknown',
  ];
  return normalise(chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? 'unknown');
};

/** Whether the nearest proxy says that it was asked over TLS; nobody else is believed. */
export const isForwardedTls = (forwardedProto: string | undefined, trustedProxies: number): boolean =>
  trustedProxies > 0 && (forwardedProto ?? '').split(',').at(-1)?.trim().toLowerCase() === 'https';
