import { z } from 'zod';
import { MAX_TIME_MS } from '../store/fixes/fix-limits';
import { parseNetwork } from './network';

/** The five endpoints by the names that a key's access settings use. */
export const ENDPOINT_PATHS = {
  units: '/api/units/:usdot',
  unit: '/api/units/:usdot/:vin',
  'vin-numbers': '/api/vin-numbers/:usdot',
  carrier: '/api/carrier',
  'carrier-by-vin': '/api/carrier/:vin',
} as const;
export type Endpoint = keyof typeof ENDPOINT_PATHS;

export const ENDPOINTS = Object.keys(ENDPOINT_PATHS) as [Endpoint, ...Endpoint[]];

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

/** What an API key may do. Null where it is not limited. */
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
