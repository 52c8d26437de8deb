import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { ProviderAccount } from '@/lib/config/providers';
import type { Connected } from '@/lib/fleet-source/schema';
import { AppError } from '@/lib/base/http/problems';
import { createTrackingClient } from '@/lib/tracking/client';
import { isTrackingError, type TrackingError } from '@/lib/tracking/errors';
import type { Fetch } from '@/lib/base/http/public-fetch';
import type { AnswerLimits } from '@/lib/tracking/limits';

/** A person waits for this check: the limits of a poll are longer. */
const TIMEOUT_MS = 10_000;

/** The field of a failure and its remedy; addresses have one message, which tells nothing about our networks. */
const toFault = (error: TrackingError, { baseUrl }: ProviderAccount): { field: string; message: string } => {
  const { host } = new URL(baseUrl);
  switch (error.kind) {
    case 'unauthorized':
      return { field: 'apiKey', message: `${host} refuses this API key or provider token.` };
    case 'forbidden':
      return { field: 'usdot', message: `${host} does not show this fleet to this key.` };
    default:
      return {
        field: 'baseUrl',
        message:
          `${host} does not answer as a tracking API. Check the address, leave out /api, and try again in a minute. ` +
          'An address of a private network needs PRIVATE_ADDRESSES=allow.',
      };
  }
};

/** Reads the account of a provider and its fleet once. @throws AppError 'provider-refused' that names the field to correct */
export const checkProvider = async (
  provider: ProviderAccount,
  { fetch, clock, limits }: { fetch: Fetch; clock: Clock; limits: AnswerLimits },
): Promise<Connected> => {
  const { baseUrl, apiKey, providerToken } = provider;
  const timeoutMs = Math.min(limits.timeoutMs, TIMEOUT_MS);
  const client = createTrackingClient({
    fetch,
    baseUrl,
    credentials: { apiKey, providerToken },
    clock,
    limits: { ...limits, timeoutMs, headersTimeoutMs: Math.min(limits.headersTimeoutMs, timeoutMs) },
  });
  try {
    const { companyName, usdot } = await client.readAccount();
    const { units } = await client.readUnits(provider.usdot ?? usdot);
    return { companyName, usdot: provider.usdot ?? usdot, units: units.length };
  } catch (cause) {
    if (!isTrackingError(cause)) throw cause;
    const { field, message } = toFault(cause, provider);
    throw new AppError('provider-refused', {
      cause,
      detail: message,
      faults: [{ field: `source.provider.${field}`, message }],
    });
  }
};
