import 'server-only';
import type { ServiceAdmin } from '@/lib/devices/server/service-admin';
import { isOwnCredential } from '@/service/store/credentials/keys';
import type { Store } from '@/service/store/store';

/** The store of the embedded service for managers: without the keys and tokens that the service made for itself. */
export const createServiceAdmin = (store: Store): ServiceAdmin => ({
  ...store,
  keys: {
    ...store.keys,
    list: async (usdot, tx) => (await store.keys.list(usdot, tx)).filter((key) => !isOwnCredential(key)),
  },
  ingestTokens: {
    ...store.ingestTokens,
    list: async (usdot, tx) =>
      (await store.ingestTokens.list(usdot, tx)).filter((token) => !isOwnCredential(token)),
  },
  planImport: async (file, options, tx) => {
    // Loaded only here, because a server without an embedded service loads none of its code.
    const { planImport } = await import('@/service/command/vehicles/import-plan');
    return planImport(store, file, options, tx);
  },
  exportVehicles: async (usdot) => {
    const { toVehicleCsv } = await import('@/service/command/vehicles/vehicle-fields');
    return toVehicleCsv(await store.vehicles.list(usdot));
  },
});
