/** 2026-03-01 12:00:00 UTC: the current time of this folder's tests. */
export const NOW_MS = Date.UTC(2026, 2, 1, 12);

/** A record as a sound provider sends it, with a fix half a minute old. */
export const createRecord = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  truckNumber: '4107',
  vin: '1M8GDM9AXKP042788',
  coordinates: { lat: 35.19938, lng: -101.8453 },
  timestamp: '2026-03-01T11:59:30Z',
  licensePlate: { state: 'TX', number: 'R48 2107' },
  assetType: 'Bus',
  unixTimestamp: (NOW_MS - 30_000) / 1000,
  deviceId: 'PT30-0001',
  make: 'MCI',
  model: 'D4505',
  year: 1989,
  fuelType: 'Diesel',
  ...changes,
});

export const without = (record: Record<string, unknown>, ...fields: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));

/** Small, seeded and good enough to spread test cases (Mulberry32). */
export const createRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
