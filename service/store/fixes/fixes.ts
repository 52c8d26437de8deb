import { LRUCache } from 'lru-cache';
import { roomFor } from '@/lib/base/cache';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { inTransaction, type Database } from '@/lib/database/database';
import type { LatLng } from '@/lib/geo/units';
import { createBatcher } from '@/lib/database/batcher';
import { InvalidRecordError } from '../errors';
import { parseRows, reportInputSchema, type Report, type ReportInput } from '../inputs';

const DETAILS = `lat, lng, speed_kph, heading_deg, altitude_m, accuracy_m, battery_percent,
  is_ignition_on, odometer_m, alarm`;

/** An order time further ahead of now was given by a clock that has been set back since. */
const CLOCK_STEP_MS = 120_000;

/** Clocks of servers that differ by more than this are not compared: the times of tests are their own. */
const CLOCKS_APART_MS = 600_000;
/**
 * When a fix arrived, by the later of the clocks of the service and of PostgreSQL. A service whose clock is behind would
 * otherwise give its fixes a place in order before older ones that came by another one.
 */
const arrivedAtMs = (column: string): string => `(
  SELECT CASE WHEN abs(at.ms - ${column}) < ${CLOCKS_APART_MS} THEN greatest(at.ms, ${column}) ELSE ${column} END
  FROM (SELECT (extract(epoch FROM now()) * 1000)::bigint AS ms) AS at)`;

/**
 * One statement that stores a batch of fixes and moves the vehicles that they move.
 *
 * - Only new fixes count: a re-sent fix from the future would otherwise get a later order time than before.
 * - A position is replaced only by a fix of a later order time, min(fix time, arrival); of fixes from the future that
 *   arrived together, the one with the latest fix time wins.
 * - A position whose order time lies in the future is replaced by any fix: it arrived while the clock of the service was
 *   ahead, and would otherwise stay until the clock has caught up.
 * - Exactly 0,0 comes from receivers without a position: it is logged and moves nothing.
 * - The carrier's revision changes only when a position did, and equals the revision of its new positions. The revision of
 *   its fixes changes with each new one.
 */
const STORE_FIXES = `
WITH next AS MATERIALIZED (
  SELECT nextval('tracking.revisions') AS revision
), stored AS (
  INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, ${DETAILS}, usdot, revision)
  SELECT reported.*, next.revision FROM next, unnest($1::int[], $2::bigint[], $3::bigint[], $4::float8[], $5::float8[],
    $6::real[], $7::real[], $8::real[], $9::real[], $10::real[], $11::boolean[], $12::float8[], $13::text[],
    $14::text[]) AS reported
  ON CONFLICT DO NOTHING
  RETURNING *
), newest AS (
  SELECT DISTINCT ON (vehicle_id) *, least(fix_at_ms, ${arrivedAtMs('received_at_ms')}) AS order_at_ms
  FROM stored WHERE NOT (lat = 0 AND lng = 0)
  ORDER BY vehicle_id, order_at_ms DESC, fix_at_ms DESC
), moved AS (
  INSERT INTO tracking.positions AS held (vehicle_id, revision, order_at_ms, fix_at_ms, received_at_ms, ${DETAILS})
  SELECT vehicle_id, revision, order_at_ms, fix_at_ms, received_at_ms, ${DETAILS} FROM newest
  ORDER BY vehicle_id
  ON CONFLICT (vehicle_id) DO UPDATE SET
    revision = excluded.revision, order_at_ms = excluded.order_at_ms,
    fix_at_ms = excluded.fix_at_ms, received_at_ms = excluded.received_at_ms,
    lat = excluded.lat, lng = excluded.lng, speed_kph = excluded.speed_kph, heading_deg = excluded.heading_deg,
    altitude_m = excluded.altitude_m, accuracy_m = excluded.accuracy_m, battery_percent = excluded.battery_percent,
    is_ignition_on = excluded.is_ignition_on, odometer_m = excluded.odometer_m, alarm = excluded.alarm
  WHERE (excluded.order_at_ms, excluded.fix_at_ms) > (held.order_at_ms, held.fix_at_ms)
    OR held.order_at_ms > ${arrivedAtMs('excluded.received_at_ms')} + ${CLOCK_STEP_MS}
  RETURNING vehicle_id
), changed AS (
  SELECT stored.usdot, bool_or(moved.vehicle_id IS NOT NULL) AS is_moved
  FROM stored LEFT JOIN moved USING (vehicle_id) GROUP BY stored.usdot
)
UPDATE tracking.carriers SET fixes_revision = next.revision,
  revision = CASE WHEN is_moved THEN next.revision ELSE carriers.revision END
FROM next, changed WHERE carriers.usdot = changed.usdot`;

/** Counts reports without a position by vehicle. */
const COUNT_NO_POSITION = `
INSERT INTO tracking.no_position_reports AS held (vehicle_id, count, newest_at_ms)
SELECT vehicle_id, count(*), max(received_at_ms) FROM unnest($1::int[], $2::bigint[]) AS report (vehicle_id, received_at_ms)
GROUP BY vehicle_id
ON CONFLICT (vehicle_id) DO UPDATE SET
  count = held.count + excluded.count, newest_at_ms = greatest(held.newest_at_ms, excluded.newest_at_ms)`;

/** A fix as it was stored, with its vehicle as it is now. */
export interface StoredFix extends LatLng {
  vin: string;
  deviceId: string | null;
  truckNumber: string | null;
  /** Unix ms. */
  fixAtMs: number;
  receivedAtMs: number;
}

export interface StoredFixes {
  fixes: StoredFix[];
  revision: number;
}

/** Fixes of one revision are listed together: a transaction has FIXES_A_TRANSACTION, or those of one report. */
const FIXES_A_PAGE = 5000;

const LIST_SINCE = `
WITH page AS (
  SELECT vehicle_id, revision, fix_at_ms, received_at_ms, lat, lng FROM tracking.fixes
  WHERE usdot = $1 AND revision > $2 AND revision <= $3
  ORDER BY revision FETCH FIRST ${FIXES_A_PAGE} ROWS WITH TIES
)
SELECT vin, device_id AS "deviceId", truck_number AS "truckNumber", fix_at_ms::float8 AS "fixAtMs",
  received_at_ms::float8 AS "receivedAtMs", lat, lng, revision::float8 AS revision
FROM page JOIN tracking.vehicles ON vehicles.id = vehicle_id ORDER BY revision`;

interface RecordResult {
  unknownDevices: string[];
}

type IdsByDevice = ReadonlyMap<string, number>;
const NO_DEVICES: IdsByDevice = new Map();

const MAX_CARRIERS = 10_000;

/**
 * Caches the vehicle of each device per carrier. An entry holds for one revision of the carrier's vehicles, which the
 * caller reads under lock, so that changes by other processes are noticed.
 */
const createDeviceCache = () => {
  const cache = new LRUCache<string, { vehiclesRevision: string; ids: IdsByDevice }>(roomFor(MAX_CARRIERS));
  return async (client: PoolClient, usdot: string, vehiclesRevision: string): Promise<IdsByDevice> => {
    const cached = cache.get(usdot);
    if (cached?.vehiclesRevision === vehiclesRevision) return cached.ids;
    const { rows } = await client.query<{ id: number; device_id: string }>(
      'SELECT id, device_id FROM tracking.vehicles WHERE usdot = $1 AND device_id IS NOT NULL',
      [usdot],
    );
    const ids = new Map(rows.map((row) => [row.device_id, row.id]));
    cache.set(usdot, { vehiclesRevision, ids });
    return ids;
  };
};

/** A PostgreSQL array literal: the driver would quote each number. */
const toArrayText = (values: readonly (number | string | boolean)[]): string => `{${values.join(',')}}`;

const toQuoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

type AcceptedFix = Report & LatLng & { vehicleId: number; receivedAtMs: number; usdot: string };

/** The columns of a batch of fixes, in the order of the parameters of STORE_FIXES. */
const COLUMNS = [
  ...(['vehicleId', 'fixAtMs', 'receivedAtMs', 'lat', 'lng', 'speedKph', 'headingDeg', 'altitudeM'] as const),
  ...(['accuracyM', 'batteryPercent', 'isIgnitionOn', 'odometerM', 'alarm', 'usdot'] as const),
];

const toFixColumns = (fixes: AcceptedFix[]): string[] =>
  COLUMNS.map((column) =>
    toArrayText(
      fixes.map(({ [column]: value }) => {
        if (value === null) return 'NULL';
        return column === 'alarm' ? toQuoted(String(value)) : value;
      }),
    ),
  );

interface Call {
  usdot: string;
  receivedAtMs: number;
  reports: Report[];
}

/** The most fixes of a transaction: some tens of milliseconds of work. */
const FIXES_A_TRANSACTION = 5000;

/** Classes 22 and 23 of SQLSTATE: a value that its column cannot hold, and one that breaks a constraint. */
const isDataFault = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');

const findVehicleId = ({ deviceId, otherDeviceIds = [] }: Report, ids: IdsByDevice): number | undefined =>
  ids.get(deviceId) ?? otherDeviceIds.map((id) => ids.get(id)).find((id) => id !== undefined);

const findUnknown = (reports: Report[], ids: IdsByDevice): string[] => [
  ...new Set(
    reports.filter((report) => findVehicleId(report, ids) === undefined).map(({ deviceId }) => deviceId),
  ),
];

const hasPosition = (report: Report): report is Report & LatLng => report.lat !== null && report.lng !== null;

/** The fixes of calls and the vehicles that were only heard, with the result of each call. */
const resolveCalls = (calls: Call[], idsByCarrier: ReadonlyMap<string, IdsByDevice>) => {
  const fixes: AcceptedFix[] = [];
  const heardIds: number[] = [];
  const heardAtMs: number[] = [];
  const results = calls.map(({ usdot, reports, receivedAtMs }): RecordResult => {
    const ids = idsByCarrier.get(usdot) ?? NO_DEVICES;
    const unknownDevices = findUnknown(reports, ids);
    if (unknownDevices.length > 0) return { unknownDevices };
    for (const report of reports) {
      const vehicleId = findVehicleId(report, ids)!;
      if (hasPosition(report)) {
        fixes.push({ ...report, vehicleId, receivedAtMs, usdot });
      } else {
        heardIds.push(vehicleId);
        heardAtMs.push(receivedAtMs);
      }
    }
    return { unknownDevices };
  });
  return { fixes, heardIds, heardAtMs, results };
};

const createFixReader = (pool: Pool) => ({
  /**
   * The newest revision of a carrier's fixes: all fixes up to it are committed, and later ones get a greater one. Null where
   * there is no such carrier.
   */
  async readRevision(usdot: string): Promise<number | null> {
    const { rows } = await pool.query<{ revision: number }>({
      name: 'read-fixes-revision',
      text: 'SELECT fixes_revision::float8 AS revision FROM tracking.carriers WHERE usdot = $1',
      values: [usdot],
    });
    return rows[0]?.revision ?? null;
  },

  /**
   * The fixes of a carrier's devices with revisions after `since` up to `until`, in their order; some thousands at most, so
   * that those up to the `revision` of the result are all there. Fixes that retention has deleted are not.
   */
  async listSince(usdot: string, since: number, until: number): Promise<StoredFixes> {
    const { rows } = await pool.query<StoredFix & { revision: number }>({
      name: 'list-fixes-since',
      text: LIST_SINCE,
      values: [usdot, since, until],
    });
    const isWhole = rows.length < FIXES_A_PAGE;
    return { fixes: rows, revision: isWhole ? until : rows.at(-1)!.revision };
  },
});

export type FixReader = ReturnType<typeof createFixReader>;

/** Raw SQL: prepared statements on one held connection, for thousands of fixes a second. */
export const createFixStore = ({ pool }: Database, now: () => number) => {
  const readDevices = createDeviceCache();

  /** Locks the carriers in the order of their numbers and reads their current devices. */
  const lockAndReadDevices = async (client: PoolClient, usdots: string[]) => {
    const { rows } = await client.query<{ usdot: string; vehicles_revision: string }>({
      name: 'lock-carriers',
      text: `SELECT usdot, vehicles_revision FROM tracking.carriers
             WHERE usdot = ANY($1) ORDER BY usdot FOR NO KEY UPDATE`,
      values: [usdots],
    });
    const idsByCarrier = new Map<string, ReadonlyMap<string, number>>();
    for (const row of rows)
      idsByCarrier.set(row.usdot, await readDevices(client, row.usdot, row.vehicles_revision));
    return idsByCarrier;
  };

  const recordCalls = createBatcher<Call, RecordResult>({
    maxWeight: FIXES_A_TRANSACTION,
    weigh: (call) => call.reports.length,
    isItemFault: isDataFault,
    run: (calls) =>
      inTransaction(pool, async (client) => {
        const idsByCarrier = await lockAndReadDevices(client, [...new Set(calls.map((call) => call.usdot))]);
        const { fixes, heardIds, heardAtMs, results } = resolveCalls(calls, idsByCarrier);
        if (fixes.length > 0)
          await client.query({ name: 'store-fixes', text: STORE_FIXES, values: toFixColumns(fixes) });
        if (heardIds.length > 0) {
          const values = [heardIds, heardAtMs].map(toArrayText);
          await client.query({ name: 'count-no-position', text: COUNT_NO_POSITION, values });
        }
        return results;
      }),
  });

  return {
    ...createFixReader(pool),

    /**
     * Stores reports of a carrier's devices and resolves once they are committed: acknowledged fixes survive the end of this
     * process and of the database's. A fix that is already there is stored once; a report without a position is counted.
     *
     * When a device is unknown nothing of the call is stored, and the result names every such device.
     *
     * @throws InvalidRecordError also for values that only the database refuses
     */
    async record(usdot: string, reports: ReportInput[]): Promise<RecordResult> {
      const parsed = parseRows('fixes', reportInputSchema, reports);
      if (parsed.length === 0) return { unknownDevices: [] };
      try {
        return await recordCalls({ usdot, receivedAtMs: now(), reports: parsed });
      } catch (error) {
        if (!isDataFault(error)) throw error;
        throw new InvalidRecordError('fixes', [{ row: 0, field: 'value', message: error.message }], {
          cause: error,
        });
      }
    },
  };
};
