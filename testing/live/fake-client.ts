import type { TrackingClient } from '@/lib/tracking/client';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { TrackingError } from '@/lib/tracking/errors';
import type { CarrierAccount } from '@/lib/wire/fleet';

export const ACCOUNT: CarrierAccount = {
  companyName: 'Panhandle Freight',
  companyId: 'pf',
  usdot: '9000001',
};

/** A provider whose answers a test decides; each call is counted, and a decision may throw or hang. */
export const createFakeClient = (now: () => number) => {
  const provider = {
    units: async (): Promise<TrackedUnit[]> => [],
    vins: async (): Promise<string[]> => [],
    account: async (): Promise<CarrierAccount> => ACCOUNT,
    /** Rejects as for an unknown VIN unless a test overrides it. */
    carrier: async (vin: string): Promise<{ mcNumber: string | null; usdot: string | null }> => {
      throw new TrackingError('notFound', `GET /api/carrier/${vin}: not found.`, { code: 'unknown_vin' });
    },
    /** By how much the server's clock is ahead of the provider's. */
    clockLeadMs: null as number | null,
    report: { dropped: 0, repaired: 0, examples: [] as string[] },
    calls: { units: 0, vins: 0, account: 0, carrier: 0 },
    /** The most requests of each kind that were in flight at once. */
    mostInFlight: { units: 0, vins: 0, account: 0, carrier: 0 },
  };
  const inFlight = { units: 0, vins: 0, account: 0, carrier: 0 };

  const count = async <T>(call: keyof typeof provider.calls, answer: () => Promise<T>): Promise<T> => {
    provider.calls[call]++;
    provider.mostInFlight[call] = Math.max(provider.mostInFlight[call], ++inFlight[call]);
    try {
      return await answer();
    } finally {
      inFlight[call]--;
    }
  };

  const client: Pick<TrackingClient, 'readUnits' | 'readVins' | 'readAccount' | 'readCarrier'> = {
    readUnits: async () => {
      const units = await count('units', () => provider.units());
      return {
        units,
        report: provider.report,
        unreadable: 0,
        answeredAtMs: now(),
        clockLeadMs: provider.clockLeadMs,
      };
    },
    readVins: async () => ({ vins: await count('vins', () => provider.vins()), report: provider.report }),
    readAccount: () => count('account', () => provider.account()),
    readCarrier: (vin) => count('carrier', () => provider.carrier(vin)),
  };
  return { provider, client };
};
