import type { Database } from '@/lib/postgres/database';

/** The device of a vehicle and its newest report; null where it has none, or has not reported. */
export interface DeviceRecord {
  vin: string;
  truckNumber: string | null;
  deviceId: string | null;
  /** When the report with the vehicle's newest fix arrived, and when the device took that fix by its own clock. */
  reportedAtMs: number | null;
  fixAtMs: number | null;
  batteryPercent: number | null;
}

export interface DeviceStore {
  /** Every vehicle of a carrier with what its device last reported, in the order in which the vehicles were added. */
  list(usdot: string): Promise<DeviceRecord[]>;
}

/** Raw SQL: one prepared statement, whose rows Drizzle would map in one block of the event loop. */
export const createDeviceStore = ({ pool }: Database): DeviceStore => ({
  async list(usdot) {
    const { rows } = await pool.query<DeviceRecord>({
      name: 'list-devices',
      text: `SELECT vin, truck_number AS "truckNumber", device_id AS "deviceId",
               received_at_ms::float8 AS "reportedAtMs", fix_at_ms::float8 AS "fixAtMs",
               battery_percent AS "batteryPercent"
             FROM tracking.vehicles LEFT JOIN tracking.positions ON vehicle_id = vehicles.id
             WHERE usdot = $1 ORDER BY vehicles.id`,
      values: [usdot],
    });
    return rows;
  },
});
