import 'server-only';
import type { TrackingClient } from '@/lib/tracking/client';

/**
 * A lazy client of a service that is yet to open: each call waits for the opening, and rejects if it fails.
 */
export const createLateClient = (open: () => Promise<TrackingClient>): TrackingClient => ({
  readUnits: async (usdot, options) => (await open()).readUnits(usdot, options),
  readUnit: async (usdot, vin, options) => (await open()).readUnit(usdot, vin, options),
  readVins: async (usdot, options) => (await open()).readVins(usdot, options),
  readAccount: async (options) => (await open()).readAccount(options),
  readCarrier: async (vin, options) => (await open()).readCarrier(vin, options),
});
