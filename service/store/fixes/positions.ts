import type { Database } from '@/lib/database/database';
import { createBatcher } from '@/lib/database/batcher';

/** `revision` grows with every change; `vehiclesRevision` with those of vehicles only. */
export interface Revisions {
  revision: number;
  vehiclesRevision: number;
}

/** The newest fix of a vehicle. `orderAtMs` is the earlier of its own time and that of its arrival. */
export interface Position {
  vehicleId: number;
  orderAtMs: number;
  fixAtMs: number;
  lat: number;
  lng: number;
}

const LOOKUPS_A_QUERY = 500;

// Cast to float8, which the driver returns as numbers; it returns bigints as text.
const COLUMNS = `vehicle_id AS "vehicleId", order_at_ms::float8 AS "orderAtMs", fix_at_ms::float8 AS "fixAtMs", lat, lng`;

/** A prepared statement, as a function from its values to its rows. Raw SQL, whose rows need no mapping. */
const prepare =
  <Row extends object>({ pool }: Pick<Database, 'pool'>, name: string, text: string) =>
  async (...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;

/** The positions of vehicles, which every poll of a fleet reads. */
export const createPositionStore = (database: Database) => {
  const readMany = prepare<Revisions & { usdot: string }>(
    database,
    'read-revisions',
    `SELECT usdot, revision::float8 AS "revision", vehicles_revision::float8 AS "vehiclesRevision"
     FROM tracking.carriers WHERE usdot = ANY($1)`,
  );
  const list = prepare<Position>(
    database,
    'list-positions-since',
    `SELECT ${COLUMNS} FROM tracking.positions JOIN tracking.vehicles ON vehicles.id = positions.vehicle_id
     WHERE vehicles.usdot = $1 AND positions.revision > $2`,
  );
  const read = prepare<Position>(
    database,
    'read-position',
    `SELECT ${COLUMNS} FROM tracking.positions WHERE vehicle_id = $1`,
  );
  return {
    /** The current revisions of a carrier; null where there is no such carrier. */
    readRevisions: createBatcher<string, Revisions | null>({
      maxWeight: LOOKUPS_A_QUERY,
      async run(usdots) {
        const rows = await readMany([...new Set(usdots)]);
        const byUsdot = new Map(rows.map(({ usdot, ...revisions }) => [usdot, revisions]));
        return usdots.map((usdot) => byUsdot.get(usdot) ?? null);
      },
    }),
    /**
     * The positions of a carrier that were written after a revision (0: all). Read the revisions first, so that the
     * positions are never older than them.
     */
    listSince: (usdot: string, revision: number): Promise<Position[]> => list(usdot, revision),
    read: async (vehicleId: number): Promise<Position | null> => (await read(vehicleId))[0] ?? null,
  };
};

/** The report of a vehicle's device with its newest fix; each field null where it is unknown or no fix has arrived. */
export interface ReportedState {
  fixAtMs: number | null;
  receivedAtMs: number | null;
  speedKph: number | null;
  headingDeg: number | null;
  altitudeM: number | null;
  accuracyM: number | null;
  batteryPercent: number | null;
  isIgnitionOn: boolean | null;
  odometerM: number | null;
  alarm: string | null;
  /** Reports without a position, and when the newest of them arrived. */
  noPositionCount: number;
  noPositionAtMs: number | null;
}

/** The device of a vehicle and its newest report; null where it has none, or has not reported. */
export interface DeviceRecord {
  vin: string;
  truckNumber: string | null;
  deviceId: string | null;
  plateState: string | null;
  plateNumber: string | null;
  assetType: string | null;
  make: string | null;
  model: string | null;
  year: number | null;
  fuelType: string | null;
  registeredUsdot: string | null;
  registeredMcNumber: string | null;
  /** When the report with the vehicle's newest fix arrived, and when the device took that fix by its own clock. */
  reportedAtMs: number | null;
  fixAtMs: number | null;
  batteryPercent: number | null;
  /** When its newest report without a position arrived. */
  heardAtMs: number | null;
}

/** The reports of vehicles' devices. */
export const createDeviceStore = (database: Database) => {
  const readReported = prepare<ReportedState>(
    database,
    'read-reported',
    `SELECT fix_at_ms::float8 AS "fixAtMs", received_at_ms::float8 AS "receivedAtMs",
       speed_kph AS "speedKph", heading_deg AS "headingDeg", altitude_m AS "altitudeM",
       accuracy_m AS "accuracyM", battery_percent AS "batteryPercent",
       is_ignition_on AS "isIgnitionOn", odometer_m AS "odometerM", alarm,
       coalesce(count, 0)::float8 AS "noPositionCount", newest_at_ms::float8 AS "noPositionAtMs"
     FROM tracking.positions FULL JOIN tracking.no_position_reports USING (vehicle_id)
     WHERE vehicle_id = $1`,
  );
  const list = prepare<DeviceRecord>(
    database,
    'list-devices',
    `SELECT vin, truck_number AS "truckNumber", device_id AS "deviceId", plate_state AS "plateState",
       plate_number AS "plateNumber", asset_type AS "assetType", make, model, year, fuel_type AS "fuelType",
       registered_usdot AS "registeredUsdot", registered_mc_number AS "registeredMcNumber",
       received_at_ms::float8 AS "reportedAtMs", fix_at_ms::float8 AS "fixAtMs",
       battery_percent AS "batteryPercent", newest_at_ms::float8 AS "heardAtMs"
     FROM tracking.vehicles
     LEFT JOIN tracking.positions ON positions.vehicle_id = vehicles.id
     LEFT JOIN tracking.no_position_reports AS heard ON heard.vehicle_id = vehicles.id
     WHERE usdot = $1 ORDER BY vehicles.id`,
  );
  const count = prepare<{ vehicles: number; reportedAtMs: number | null }>(
    database,
    'count-devices',
    `SELECT count(*)::int AS "vehicles", max(received_at_ms)::float8 AS "reportedAtMs"
     FROM tracking.vehicles LEFT JOIN tracking.positions ON vehicle_id = vehicles.id
     WHERE usdot = $1`,
  );
  return {
    /** Null where the device was never heard. */
    readReported: async (vehicleId: number): Promise<ReportedState | null> =>
      (await readReported(vehicleId))[0] ?? null,
    /** Every vehicle of a carrier with what its device last reported, in the order in which the vehicles were added. */
    list: (usdot: string): Promise<DeviceRecord[]> => list(usdot),
    /** A carrier's vehicles, and when the newest fix arrived (null before the first). */
    count: async (usdot: string) => (await count(usdot))[0]!,
  };
};
