import { momentWords } from '@/lib/view/clock';
import type { ApiKey, EndpointName, KeyAccess } from '@/lib/api-keys/schema';

/** What each endpoint tells, and its path. */
export const ENDPOINT_WORDS: Record<EndpointName, { words: string; path: string }> = {
  units: { words: 'All active units', path: '/api/units/:usdot' },
  unit: { words: 'One unit', path: '/api/units/:usdot/:vin' },
  'vin-numbers': { words: 'VINs of the fleet', path: '/api/vin-numbers/:usdot' },
  carrier: { words: 'The carrier of the key', path: '/api/carrier' },
  'carrier-by-vin': { words: 'The carrier of a VIN', path: '/api/carrier/:vin' },
};

/** A key's limits, one a line; one line where it has none. */
export const accessWords = (access: KeyAccess, nowMs: number): string[] => {
  const { endpoints, allowedNetworks, requestsPerMinute, expiresAtMs } = access;
  const limits = [
    endpoints && endpoints.map((endpoint) => ENDPOINT_WORDS[endpoint].words).join(', '),
    allowedNetworks && `From ${allowedNetworks.join(', ')}`,
    requestsPerMinute && `${requestsPerMinute} requests a minute`,
    expiresAtMs && `Until ${momentWords(expiresAtMs, nowMs)}`,
  ].filter((limit): limit is string => Boolean(limit));
  return limits.length > 0 ? limits : ['No limits'];
};

export interface KeyState {
  words: string;
  more: string | null;
  isUsable: boolean;
}

export const stateWords = ({ revokedAtMs, access, replaced }: ApiKey, nowMs: number): KeyState => {
  if (revokedAtMs !== null)
    return { words: 'Revoked', more: momentWords(revokedAtMs, nowMs), isUsable: false };
  if (access.expiresAtMs !== null && access.expiresAtMs <= nowMs)
    return { words: 'Expired', more: momentWords(access.expiresAtMs, nowMs), isUsable: false };
  if (replaced === null) return { words: 'In use', more: null, isUsable: true };
  const used =
    replaced.lastUsedAtMs === null ? 'not used' : `last used ${momentWords(replaced.lastUsedAtMs, nowMs)}`;
  const old = `Old secrets work until ${momentWords(replaced.endsAtMs, nowMs)}, ${used}`;
  return { words: 'Rotated', more: old, isUsable: true };
};
