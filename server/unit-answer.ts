import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import { TrackingNotFoundError } from '@/lib/tracking/errors';
import type { UnitAnswer } from '@/lib/wire/unit';

/** The provider's message for a VIN of its own that has no fix yet. */
const NEVER_REPORTED = /never|no[-_.]?(fix|position|report)/i;

/** One unit in the provider's current answer; a VIN that it does not know is an answer, not a failure. */
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
