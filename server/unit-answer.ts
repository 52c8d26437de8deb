import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { TrackingNotFoundError } from '@/lib/tracking/errors';
import type { UnitAnswer } from '@/lib/wire/unit';

/** What a provider's word for a VIN that is its own but has no fix yet looks like. */
const NEVER_REPORTED = /never|no[-_.]?(fix|position|report)/i;

/** One unit as the provider says it now; a VIN that it does not know is an answer, not a failure. */
export const readUnitAnswer = async (
  client: TrackingClient,
  usdot: string,
  vin: string,
  now: () => number,
): Promise<UnitAnswer> => {
  try {
    const { identity, position, fixAtMs, flags } = await client.readUnit(usdot, vin);
    return { said: 'unit', askedAtMs: now(), unit: { identity, position, fixAtMs, flags } };
  } catch (error) {
    if (!(error instanceof TrackingNotFoundError)) throw error;
    const said = error.code !== null && NEVER_REPORTED.test(error.code) ? 'neverReported' : 'unknown';
    return { said, askedAtMs: now(), unit: null };
  }
};
