import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '@/lib/database/database';
import { lockCarriers, lockVehicleWriters } from './carriers';
import { DeviceTakenError, RepeatedVehicleError, UnknownCarrierError } from './errors';
import { parseRows, vehicleInputSchema, type Vehicle, type VehicleInput } from './inputs';
import { carriers, noPositionReports, positions, vehicles } from './schema';

export type StoredVehicle = Vehicle & { id: number };

/** Raw SQL, because Drizzle would map a large fleet in one block of the event loop. */
const ALL_COLUMNS = sql.raw(
  Object.entries(getTableColumns(vehicles))
    .map(([key, column]) => `${column.name} AS "${key}"`)
    .join(', '),
);

const findRepeated = (values: string[]): string[] => {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
};

const requireDistinct = (rows: Vehicle[]): void => {
  const vins = findRepeated(rows.map((row) => row.vin));
  if (vins.length > 0) throw new RepeatedVehicleError('vin', vins);
  const devices = rows.filter((row) => row.deviceId !== null).map((row) => `${row.usdot} ${row.deviceId}`);
  const repeated = findRepeated(devices).map((device) => device.slice(device.indexOf(' ') + 1));
  if (repeated.length > 0) throw new RepeatedVehicleError('deviceId', repeated);
};

const { id: _id, ...written } = getTableColumns(vehicles);
const writtenColumns = Object.entries(written);
const { vin: _vin, ...replaceable } = written;

/** The rows as a table that SQL can join: one parameter, whatever their number. */
const toInputTable = (rows: Vehicle[]): SQL => {
  const columns = writtenColumns.map(
    ([key, column]) => sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`,
  );
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS input(${sql.join(columns, sql`, `)})`;
};

const touchCarriers = async (tx: Executor, usdots: string[]): Promise<void> => {
  await tx
    .update(carriers)
    .set({
      revision: sql`nextval('tracking.revisions')`,
      vehiclesRevision: sql`nextval('tracking.revisions')`,
    })
    .where(inArray(carriers.usdot, usdots));
};

/** Takes the rows' devices off the vehicles that are about to change theirs or their carrier, so that two may swap. */
const releaseDevices = (tx: Executor, input: SQL) =>
  tx.execute(sql`
    UPDATE ${vehicles} SET device_id = NULL FROM ${input}
    WHERE ${vehicles.vin} = input.vin
      AND (${vehicles.deviceId} IS DISTINCT FROM input."deviceId" OR ${vehicles.usdot} <> input.usdot)`);

const requireFreeDevices = async (tx: Executor, input: SQL): Promise<void> => {
  const taken = await tx.execute<{ deviceId: string; vin: string }>(sql`
    SELECT ${vehicles.deviceId} AS "deviceId", ${vehicles.vin} AS "vin" FROM ${vehicles}
    JOIN ${input} ON ${vehicles.usdot} = input.usdot AND ${vehicles.deviceId} = input."deviceId"
    WHERE ${vehicles.vin} <> input.vin`);
  if (taken.rows.length > 0) throw new DeviceTakenError(taken.rows);
};

/** The next carrier must not see a position from the previous one's time, nor when its device was heard. */
const deleteReportsOfMoved = async (tx: Executor, input: SQL): Promise<void> => {
  for (const table of [positions, noPositionReports])
    await tx.execute(sql`
      DELETE FROM ${table} USING ${vehicles}, ${input}
      WHERE ${table.vehicleId} = ${vehicles.id} AND ${vehicles.vin} = input.vin AND ${vehicles.usdot} <> input.usdot`);
};

const upsertRows = async (tx: Executor, input: SQL): Promise<void> => {
  const targets = writtenColumns.map(([, column]) => sql.identifier(column.name));
  const values = writtenColumns.map(([key]) => sql`input.${sql.identifier(key)}`);
  const replaced = Object.values(replaceable).map(({ name }) => sql.identifier(name));
  const excluded = replaced.map((column) => sql`excluded.${column}`);
  await tx.execute(sql`
    INSERT INTO ${vehicles} (${sql.join(targets, sql`, `)}) SELECT ${sql.join(values, sql`, `)} FROM ${input}
    ON CONFLICT (vin) DO UPDATE SET (${sql.join(replaced, sql`, `)}) = (${sql.join(excluded, sql`, `)})`);
};

const readOwners = async (tx: Executor, input: SQL): Promise<string[]> => {
  const owners = await tx.execute<{ usdot: string }>(sql`
    SELECT DISTINCT ${vehicles.usdot} AS usdot FROM ${vehicles} JOIN ${input} ON ${vehicles.vin} = input.vin`);
  return owners.rows.map((row) => row.usdot);
};

/** Writes rows whose VINs and devices differ, all or none; the writers of vehicles are locked. */
const writeRows = async (tx: Executor, rows: Vehicle[]): Promise<void> => {
  const input = toInputTable(rows);
  const wanted = [...new Set(rows.map((row) => row.usdot))];
  const touched = [...new Set([...wanted, ...(await readOwners(tx, input))])];
  const known = await lockCarriers(tx, touched);
  const unknown = wanted.filter((usdot) => !known.has(usdot));
  if (unknown.length > 0) throw new UnknownCarrierError(unknown);
  await deleteReportsOfMoved(tx, input);
  await releaseDevices(tx, input);
  await requireFreeDevices(tx, input);
  await upsertRows(tx, input);
  await touchCarriers(tx, touched);
};

/** Methods with a `tx` run in that transaction, of any connection to the same database. */
export const createVehicleStore = ({ orm }: Database) => ({
  /**
   * Adds or replaces vehicles, all or none. A VIN of another carrier changes fleet and loses its last position and the count
   * of its reports without one.
   *
   * @throws InvalidRecordError, RepeatedVehicleError, UnknownCarrierError, DeviceTakenError
   */
  async upsertMany(inputs: VehicleInput[], tx: Executor = orm): Promise<void> {
    const rows = parseRows('vehicles', vehicleInputSchema, inputs);
    if (rows.length === 0) return;
    requireDistinct(rows);
    await tx.transaction(async (inner) => {
      await lockVehicleWriters(inner);
      await writeRows(inner, rows);
    });
  },

  /**
   * Changes fields of a carrier's vehicle; those that are left out stay as they are.
   *
   * @returns the vehicle as it was before; null where the carrier has no such vehicle
   * @throws InvalidRecordError, DeviceTakenError
   */
  change: (
    usdot: string,
    vin: string,
    change: Partial<Omit<Vehicle, 'vin' | 'usdot'>>,
    tx: Executor = orm,
  ): Promise<StoredVehicle | null> =>
    tx.transaction(async (inner) => {
      await lockVehicleWriters(inner);
      const [before] = await inner
        .select()
        .from(vehicles)
        .where(and(eq(vehicles.vin, vin), eq(vehicles.usdot, usdot)));
      if (before === undefined) return null;
      await writeRows(inner, parseRows('vehicles', vehicleInputSchema, [{ ...before, ...change }]));
      return before;
    }),

  /** The VINs of a carrier by device id; vehicles cannot change until the transaction ends. */
  async lockDevices(usdot: string, tx: Executor): Promise<Map<string, string>> {
    await lockVehicleWriters(tx);
    const { rows } = await tx.execute<{ id: string; vin: string }>(
      sql`SELECT device_id AS id, vin FROM tracking.vehicles WHERE usdot = ${usdot} AND device_id IS NOT NULL`,
    );
    return new Map(rows.map(({ id, vin }) => [id, vin]));
  },

  /** The vehicles of a carrier, in the order in which they were added. */
  async list(usdot: string, tx: Executor = orm): Promise<StoredVehicle[]> {
    const { rows } = await tx.execute<StoredVehicle>(
      sql`SELECT ${ALL_COLUMNS} FROM tracking.vehicles WHERE usdot = ${usdot} ORDER BY id`,
    );
    return rows;
  },

  async readByVin(vin: string): Promise<StoredVehicle | null> {
    const [vehicle] = await orm.select().from(vehicles).where(eq(vehicles.vin, vin));
    return vehicle ?? null;
  },

  /** Removes a vehicle with its fixes; null where there was none, or it is of another carrier than `usdot`. */
  remove: (vin: string, usdot: string | null = null, tx: Executor = orm): Promise<StoredVehicle | null> =>
    tx.transaction(async (inner) => {
      await lockVehicleWriters(inner);
      const [removed] = await inner.select().from(vehicles).where(eq(vehicles.vin, vin));
      if (removed === undefined || (usdot !== null && removed.usdot !== usdot)) return null;
      await lockCarriers(inner, [removed.usdot]);
      await inner.delete(vehicles).where(eq(vehicles.id, removed.id));
      await touchCarriers(inner, [removed.usdot]);
      return removed;
    }),
});
