import 'server-only';

/** The IPv6 prefix of one subscriber (RFC 6177): its hosts count as one client. */
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

/**
 * The client key of an address: all addresses of one IPv6 subscriber are one client, and so are all unknown
 * addresses.
 */
export const toClientKey = (address: string | null): string => {
  if (address === null) return 'unknown';
  return address.includes(':') ? toNetwork(address) : address;
};

/** Whether the nearest trusted proxy reports that the client used TLS; no other header is trusted. */
export const isForwardedTls = (forwardedProto: string | undefined, trustedProxies: number): boolean =>
  trustedProxies > 0 && (forwardedProto ?? '').split(',').at(-1)?.trim().toLowerCase() === 'https';
