import { createDemoFleet } from '../simulator/demo-fleet';
import { DEMO_CARRIER } from '../simulator/vehicles';
import type { CarrierInput } from '../store/inputs';
import type { Store } from '../store/store';
import { OWN_CREDENTIAL, isOwnCredential, createProcessKey } from '../store/credentials/keys';

export const DEMO_SEED = 1956;

const listStale = <T extends { name: string; createdBy: string | null; revokedAtMs: number | null }>(
  list: T[],
): T[] => list.filter((each) => isOwnCredential(each) && each.revokedAtMs === null);

const revokeOwnKeys = async (store: Store, usdot: string): Promise<void> => {
  for (const { id } of listStale(await store.keys.list(usdot))) await store.keys.revoke(id);
};

/**
 * Puts a carrier with its own trucks into the store, or renames it. Returns the key of this process, and the store that
 * accepts it: several processes have the same carrier, each with a key of its own.
 */
export const openOwnCarrier = async (
  store: Store,
  { usdot, companyName, mcNumber }: Pick<CarrierInput, 'usdot' | 'companyName' | 'mcNumber'>,
): Promise<{ store: Store; credentials: { apiKey: string; providerToken: string } }> => {
  const companyId = (await store.carriers.read(usdot))?.companyId ?? usdot;
  await store.carriers.upsert({ usdot, companyName, companyId, mcNumber });
  // Those of versions that stored them.
  await revokeOwnKeys(store, usdot);
  const own = createProcessKey(usdot);
  const verify: Store['keys']['verify'] = async (...secrets) =>
    own.verify(...secrets) ?? store.keys.verify(...secrets);
  return { store: { ...store, keys: { ...store.keys, verify } }, credentials: own.credentials };
};

/** Removes the demo with all that it reported; false where there is none. */
export const removeDemo = (store: Store): Promise<boolean> => store.carriers.remove(DEMO_CARRIER.usdot);

/**
 * Puts the demo's carrier and vehicles into the store and creates new credentials, revoking those of the previous start.
 * May be called at every start; vehicles beyond `units` are removed.
 */
export const seedDemo = async (
  store: Store,
  { units, seed = DEMO_SEED }: { units: number; seed?: number },
) => {
  const fleet = createDemoFleet({ units, seed });
  const { usdot } = DEMO_CARRIER;
  await store.carriers.upsert(DEMO_CARRIER);
  const vins = new Set(fleet.vehicles.map(({ vin }) => vin));
  for (const { vin } of await store.vehicles.list(usdot)) {
    if (!vins.has(vin)) await store.vehicles.remove(vin);
  }
  await store.vehicles.upsertMany([...fleet.vehicles]);
  for (const { id } of listStale(await store.ingestTokens.list(usdot))) await store.ingestTokens.revoke(id);
  const { token } = await store.ingestTokens.create({ usdot, ...OWN_CREDENTIAL });
  await revokeOwnKeys(store, usdot);
  const { apiKey, providerToken } = await store.keys.create({ usdot, ...OWN_CREDENTIAL });
  return { usdot, apiKey, providerToken, ingestToken: token, fleet };
};

/** The demo fleet, and the credentials by which this process reaches it. These are secrets: never log them. */
export type SeededDemo = Awaited<ReturnType<typeof seedDemo>>;
