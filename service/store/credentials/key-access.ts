import { isIP, type BlockList } from 'node:net';
import { LRUCache } from 'lru-cache';
import { toBlockList } from '@/lib/base/http/public-fetch';
import { z } from 'zod';
import { MAX_TIME_MS } from '../schema';

/** The five endpoints by the names that a key's access settings use. */
export const ENDPOINTS = ['units', 'unit', 'vin-numbers', 'carrier', 'carrier-by-vin'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

const MAX_NETWORKS = 50;
const MAX_REQUESTS_PER_MINUTE = 100_000;

const networkSchema = z.string().transform((text, context) => {
  const network = parseNetwork(text);
  if (network !== null) return network;
  const message = `is no address or block of addresses such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32: ${JSON.stringify(text.slice(0, 60))}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** The endpoints in the order of the contract, each once; null for all of them. */
const toEndpoints = (listed: Endpoint[]): Endpoint[] | null => {
  const endpoints = ENDPOINTS.filter((endpoint) => listed.includes(endpoint));
  return endpoints.length === ENDPOINTS.length ? null : endpoints;
};

/** The limits of an API key; null where it has none. */
export const keyAccessSchema = z.object({
  endpoints: z
    .array(z.enum(ENDPOINTS, { error: `is not one of ${ENDPOINTS.join(', ')}` }))
    .min(1, 'names no endpoint')
    .transform(toEndpoints)
    .nullable()
    .default(null),
  /** The key is refused from this time on, in Unix ms. */
  expiresAtMs: z.int().min(0).max(MAX_TIME_MS, 'lies after the year 9999').nullable().default(null),
  /** Blocks of addresses from which it may be used. */
  allowedNetworks: z
    .array(networkSchema)
    .min(1, 'names no address')
    .max(MAX_NETWORKS, `names more than ${MAX_NETWORKS} blocks`)
    .transform((networks) => [...new Set(networks)])
    .nullable()
    .default(null),
  requestsPerMinute: z
    .int('is not a whole number')
    .min(1, 'is less than 1')
    .max(MAX_REQUESTS_PER_MINUTE, `is more than ${MAX_REQUESTS_PER_MINUTE}`)
    .nullable()
    .default(null),
});
export type KeyAccess = z.output<typeof keyAccessSchema>;

const BITS = { 4: 32, 6: 128 } as const;
const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** An address or a block of addresses (CIDR, RFC 4632) as "203.0.113.0/24" or "2001:db8::/32"; null for anything else. */
export const parseNetwork = (text: string): string | null => {
  const [address = '', prefix, ...rest] = text.trim().toLowerCase().split('/');
  const version = isIP(address) as 0 | 4 | 6;
  // A zone names an interface of one machine (RFC 4007), and a mapped address should be written as IPv4.
  if (version === 0 || rest.length > 0 || address.includes('%') || address.startsWith('::ffff:')) return null;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return null;
  const prefixBits = prefix === undefined ? BITS[version] : Number(prefix);
  return prefixBits <= BITS[version] ? `${address}/${prefixBits}` : null;
};

const blockLists = new LRUCache<string, BlockList>({
  max: 1000,
  memoMethod: (networks) => toBlockList(networks.split(' ')),
});

/** Whether an address, IPv4 or IPv6, lies in one of the networks that `parseNetwork` gave. */
export const isInNetworks = (address: string, networks: readonly string[]): boolean => {
  const version = isIP(address) as 0 | 4 | 6;
  return version !== 0 && blockLists.memo(networks.join(' ')).check(address, FAMILIES[version]);
};
