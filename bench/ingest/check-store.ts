import pg from 'pg';
import { positionAt, type Reporters } from './load/reporters';
import type { LedgerTotals } from './load/ledger';

/** What the store holds, held against what was acknowledged. */
export interface StoreCheck {
  acknowledged: number;
  stored: number;
  /** Acknowledged fixes that the store does not have. */
  missing: number;
  /** Vehicles that stand at an older fix than the newest that was acknowledged. */
  vehiclesBehind: number;
  /** Vehicles whose position differs from their newest fix. */
  vehiclesMisplaced: number;
}

const NEWEST = `
SELECT device_id, fix_at_ms::float8 AS fix_at_ms, lat, lng
FROM tracking.vehicles LEFT JOIN tracking.positions ON vehicles.id = positions.vehicle_id`;

interface Row {
  device_id: string;
  fix_at_ms: number | null;
  lat: number;
  lng: number;
}

export const checkStore = async (
  databaseUrl: string,
  reporters: Reporters,
  ledger: LedgerTotals,
): Promise<StoreCheck> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const counted = await client.query<{ stored: number }>(
    'SELECT count(*)::float8 AS stored FROM tracking.fixes',
  );
  const { rows } = await client.query<Row>(NEWEST);
  await client.end();
  const byDevice = new Map(rows.map((row) => [row.device_id, row]));
  let vehiclesBehind = 0;
  let vehiclesMisplaced = 0;
  reporters.deviceIds.forEach((deviceId, unit) => {
    const held = byDevice.get(deviceId);
    const heldMs = held?.fix_at_ms ?? 0;
    if (heldMs < ledger.newestMs[unit]!) vehiclesBehind++;
    if (held === undefined || heldMs === 0) return;
    const { lat, lng } = positionAt(reporters, unit, heldMs);
    if (held.lat !== lat || held.lng !== lng) vehiclesMisplaced++;
  });
  const stored = counted.rows[0]!.stored;
  const missing = Math.max(0, ledger.acknowledged - stored);
  return { acknowledged: ledger.acknowledged, stored, missing, vehiclesBehind, vehiclesMisplaced };
};
