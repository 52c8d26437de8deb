import { createDemoFleet } from '../simulator/demo-fleet';
import type { DemoFleet } from '../simulator/demo-fleet';
import { DEMO_CARRIER } from '../simulator/vehicles';
import type { Store } from '../store/store';
import { OWN_CREDENTIAL, isOwnCredential } from '../store/credentials/key-records';

export const DEMO_SEED = 1956;

/** The demo fleet, and the credentials by which this process reaches it. These are secrets: never log them. */
export interface SeededDemo {
  usdot: string;
  apiKey: string;
  providerToken: string;
  ingestToken: string;
  fleet: DemoFleet;
}

/**
 * Puts the demo's carrier and vehicles into the store and creates new credentials, revoking those of the previous start.
 * May be called at every start; vehicles beyond `units` are removed.
 */
export const seedDemo = async (
  store: Store,
  { units, seed = DEMO_SEED }: { units: number; seed?: number },
): Promise<SeededDemo> => {
  const fleet = createDemoFleet({ units, seed });
  const { usdot } = DEMO_CARRIER;
  await store.carriers.upsert(DEMO_CARRIER);
  const vins = new Set(fleet.vehicles.map(({ vin }) => vin));
  for (const { vin } of await store.vehicles.list(usdot)) {
    if (!vins.has(vin)) await store.vehicles.remove(vin);
  }
  await store.vehicles.upsertMany([...fleet.vehicles]);
  const stale = <T extends { name: string; createdBy: string | null; revokedAtMs: number | null }>(
    list: T[],
  ): T[] => list.filter((each) => isOwnCredential(each) && each.revokedAtMs === null);
  for (const { id } of stale(await store.keys.list(usdot))) await store.keys.revoke(id);
  for (const { id } of stale(await store.ingestTokens.list(usdot))) await store.ingestTokens.revoke(id);
  const { apiKey, providerToken } = await store.keys.create({ usdot, ...OWN_CREDENTIAL });
  const { token } = await store.ingestTokens.create({ usdot, ...OWN_CREDENTIAL });
  return { usdot, apiKey, providerToken, ingestToken: token, fleet };
};
