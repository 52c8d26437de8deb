import { formatMoment } from '@/lib/view/format';
import type { ApiKey, EndpointName, KeyAccess } from '@/lib/api-keys/schema';

/** The answer of each endpoint, and its path. */
export const ENDPOINT_LABELS: Record<EndpointName, { label: string; path: string }> = {
  units: { label: 'All active units', path: '/api/units/:usdot' },
  unit: { label: 'One unit', path: '/api/units/:usdot/:vin' },
  'vin-numbers': { label: 'VINs of the fleet', path: '/api/vin-numbers/:usdot' },
  carrier: { label: 'The carrier of the key', path: '/api/carrier' },
  'carrier-by-vin': { label: 'The carrier of a VIN', path: '/api/carrier/:vin' },
};

/** A key's limits, one per line; "No limits" if it has none. */
export const accessText = (access: KeyAccess, nowMs: number): string[] => {
  const { endpoints, allowedNetworks, requestsPerMinute, expiresAtMs } = access;
  const limits = [
    endpoints && endpoints.map((endpoint) => ENDPOINT_LABELS[endpoint].label).join(', '),
    allowedNetworks && `From ${allowedNetworks.join(', ')}`,
    requestsPerMinute && `${requestsPerMinute} requests per minute`,
    expiresAtMs && `Until ${formatMoment(expiresAtMs, nowMs)}`,
  ].filter((limit): limit is string => Boolean(limit));
  return limits.length > 0 ? limits : ['No limits'];
};

interface KeyState {
  label: string;
  /** The time of the state, and until when replaced secrets work. */
  more: string | null;
  isUsable: boolean;
}

export const toKeyState = ({ revokedAtMs, access, replaced }: ApiKey, nowMs: number): KeyState => {
  if (revokedAtMs !== null)
    return { label: 'Revoked', more: formatMoment(revokedAtMs, nowMs), isUsable: false };
  if (access.expiresAtMs !== null && access.expiresAtMs <= nowMs)
    return { label: 'Expired', more: formatMoment(access.expiresAtMs, nowMs), isUsable: false };
  if (replaced === null) return { label: 'In use', more: null, isUsable: true };
  const used =
    replaced.lastUsedAtMs === null ? 'not used' : `last used ${formatMoment(replaced.lastUsedAtMs, nowMs)}`;
  const old = `Old secrets work until ${formatMoment(replaced.endsAtMs, nowMs)}, ${used}`;
  return { label: 'Rotated', more: old, isUsable: true };
};
