import type { PoolClient } from 'pg';

type IdsByDevice = ReadonlyMap<string, number>;

/**
 * The vehicle of each device, carrier by carrier, in memory. An entry holds for one revision of the
 * carrier's vehicles, which the caller reads under lock; so what another process changed is noticed.
 */
export const createDeviceMap = () => {
  const held = new Map<string, { vehiclesRevision: string; ids: IdsByDevice }>();

  return {
    async read(client: PoolClient, usdot: string, vehiclesRevision: string): Promise<IdsByDevice> {
      const known = held.get(usdot);
      if (known?.vehiclesRevision === vehiclesRevision) return known.ids;
      const { rows } = await client.query<{ id: number; device_id: string }>(
        'SELECT id, device_id FROM tracking.vehicles WHERE usdot = $1 AND device_id IS NOT NULL',
        [usdot],
      );
      const ids = new Map(rows.map((row) => [row.device_id, row.id]));
      held.set(usdot, { vehiclesRevision, ids });
      return ids;
    },
  };
};
