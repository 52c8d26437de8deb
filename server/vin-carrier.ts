import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { TrackingNotFoundError } from '@/lib/tracking/errors';
import type { VinCarrier } from '@/lib/wire/carrier';

const UNKNOWN = { mcNumber: null, usdot: null };

/** The motor carrier of a VIN; a VIN that the provider does not know is an answer, not a failure. */
export const readVinCarrier = async (
  client: TrackingClient,
  vin: string,
  now: () => number,
): Promise<VinCarrier> => {
  try {
    return { vin, ...(await client.readCarrier(vin)), askedAtMs: now() };
  } catch (error) {
    if (!(error instanceof TrackingNotFoundError)) throw error;
    return { vin, ...UNKNOWN, askedAtMs: now() };
  }
};
