import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { toSideRetryMs } from '../feed/backoff';
import type { LiveSettings } from '../settings';

/** The account of the server's key: the last one read, or null. Never rejects. */
export type ReadAccount = () => Promise<CarrierAccount | null>;

/** Reads the account once an hour for all feeds together; after a failure the last one read is kept. */
export const createAccountReader = (options: {
  client: Pick<TrackingClient, 'readAccount'>;
  elapsed: () => number;
  settings: Pick<LiveSettings, 'accountEveryMs' | 'sideRetryMs' | 'maxRetryAfterMs'>;
}): ReadAccount => {
  const { client, elapsed, settings } = options;
  let account: CarrierAccount | null = null;
  let dueAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  const readAnew = async (): Promise<void> => {
    try {
      account = await client.readAccount();
      dueAtMs = elapsed() + settings.accountEveryMs;
    } catch (error) {
      // The fleet is shown without the name of its carrier; the reading of its units shows whether the
      // provider fails.
      dueAtMs = elapsed() + toSideRetryMs(error, settings);
    } finally {
      reading = null;
    }
  };

  return async () => {
    if (elapsed() >= dueAtMs) await (reading ??= readAnew());
    return account;
  };
};
