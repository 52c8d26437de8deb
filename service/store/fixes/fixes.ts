import { LRUCache } from 'lru-cache';
import { DatabaseError } from 'pg';
import type { PoolClient } from 'pg';
import { createBatcher } from '../batcher';
import { inTransaction } from '@/lib/postgres/database';
import type { Database } from '@/lib/postgres/database';
import { InvalidRecordError } from '../errors';
import { fixInputSchema, parseRows } from '../inputs';
import type { FixInput } from '../inputs';
import { STORE_FIXES } from './store-fixes-sql';

export interface FixStore {
  /**
   * Stores fixes of a carrier's devices and resolves once they are committed: acknowledged fixes survive the end of this
   * process and of the database's. A fix that is already there is stored once.
   *
   * When a device is unknown nothing of the call is stored, and the result names every such device.
   *
   * @throws InvalidRecordError also for values that only the database refuses
   */
  record(usdot: string, fixes: FixInput[]): Promise<RecordAnswer>;
}

export interface RecordAnswer {
  unknownDevices: string[];
}

type IdsByDevice = ReadonlyMap<string, number>;

const MAX_CARRIERS = 10_000;

/**
 * Caches the vehicle of each device per carrier. An entry holds for one revision of the carrier's vehicles, which the
 * caller reads under lock, so that changes by other processes are noticed.
 */
const createDeviceCache = () => {
  const cache = new LRUCache<string, { vehiclesRevision: string; ids: IdsByDevice }>({ max: MAX_CARRIERS });
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

type Column = (number | string)[];

const orNull = (value: number | null): number | string => value ?? 'NULL';

/** A PostgreSQL array literal: the driver would quote each number. */
const toArrayText = (column: Column): string => `{${column.join(',')}}`;

/** Fixes by column for unnest(): one parameter per column for any number of rows. */
const createFixColumns = () => {
  const vehicleIds: Column = [];
  const fixAtMs: Column = [];
  const receivedAtMs: Column = [];
  const lats: Column = [];
  const lngs: Column = [];
  const speeds: Column = [];
  const headings: Column = [];
  const altitudes: Column = [];
  const accuracies: Column = [];
  const batteries: Column = [];
  // In the order of the parameters of STORE_FIXES.
  const columns = [
    vehicleIds,
    fixAtMs,
    receivedAtMs,
    lats,
    lngs,
    speeds,
    headings,
    altitudes,
    accuracies,
    batteries,
  ];

  return {
    push(vehicleId: number, receivedAt: number, fix: FixInput): void {
      vehicleIds.push(vehicleId);
      fixAtMs.push(fix.fixAtMs);
      receivedAtMs.push(receivedAt);
      lats.push(fix.lat);
      lngs.push(fix.lng);
      speeds.push(orNull(fix.speedKph));
      headings.push(orNull(fix.headingDeg));
      altitudes.push(orNull(fix.altitudeM));
      accuracies.push(orNull(fix.accuracyM));
      batteries.push(orNull(fix.batteryPercent));
    },
    count: (): number => vehicleIds.length,
    values: (): string[] => columns.map(toArrayText),
  };
};

interface Call {
  usdot: string;
  receivedAtMs: number;
  fixes: FixInput[];
}

/** A transaction takes no more calls beyond this: some tens of milliseconds of work. */
const FIXES_A_TRANSACTION = 5000;

/** Classes 22 and 23 of SQLSTATE: a value that its column cannot hold, and one that breaks a constraint. */
const isDataFault = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');

const findUnknown = (fixes: FixInput[], ids: ReadonlyMap<string, number> | undefined): string[] => [
  ...new Set(fixes.map((fix) => fix.deviceId).filter((deviceId) => !ids?.has(deviceId))),
];

/** Raw SQL: prepared statements on one held connection, for thousands of fixes a second. */
export const createFixStore = ({ pool }: Database, now: () => number): FixStore => {
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

  const recordCalls = createBatcher<Call, RecordAnswer>({
    maxWeight: FIXES_A_TRANSACTION,
    weigh: (call) => call.fixes.length,
    isItemFault: isDataFault,
    run: (calls) =>
      inTransaction(pool, async (client) => {
        const idsByCarrier = await lockAndReadDevices(client, [...new Set(calls.map((call) => call.usdot))]);
        const columns = createFixColumns();
        const answers = calls.map(({ usdot, fixes, receivedAtMs }) => {
          const ids = idsByCarrier.get(usdot);
          const unknownDevices = findUnknown(fixes, ids);
          if (ids !== undefined && unknownDevices.length === 0) {
            for (const fix of fixes) columns.push(ids.get(fix.deviceId)!, receivedAtMs, fix);
          }
          return { unknownDevices };
        });
        if (columns.count() > 0)
          await client.query({ name: 'store-fixes', text: STORE_FIXES, values: columns.values() });
        return answers;
      }),
  });

  return {
    async record(usdot, fixes) {
      const parsed = parseRows('fixes', fixInputSchema, fixes);
      if (parsed.length === 0) return { unknownDevices: [] };
      try {
        return await recordCalls({ usdot, receivedAtMs: now(), fixes: parsed });
      } catch (error) {
        if (!isDataFault(error)) throw error;
        throw new InvalidRecordError('fixes', [{ row: 0, field: 'value', message: error.message }], {
          cause: error,
        });
      }
    },
  };
};
