import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { AppError } from '@/lib/base/http/problems';
import { z } from 'zod';
import { ingestTokenSchema } from '@/lib/api-keys/schema';
import {
  MAX_RETURNED_ROWS,
  type Devices,
  type Import,
  type ImportResult,
  type IssuedToken,
  toOwnDeviceId,
  type NewToken,
  type Refusals,
  type RemovedVehicle,
  type Vehicle,
} from '@/lib/devices/schema';
import {
  listServedCarriers,
  requireInScope,
  toCreatorName,
  withHiddenCreators,
} from '@/lib/api-keys/server/api-keys';
import type { ImportPlan, ServiceAdmin, VehicleFields } from './service-admin';
import { mergeContact, readContacts } from '@/lib/contacts/contact-table';
import { CONTACT_COLUMNS, CONTACT_COLUMN_NAMES } from '@/lib/table-files/contact-columns';
import { deleteContact, listContacts, readContactsOf, writeContacts } from '@/lib/contacts/server/contacts';
import { contactText, toContactCells } from '@/lib/contacts/text';
import type { Table } from '@/lib/table-files/table';
import { readTableFile } from '@/lib/table-files/table-file';
import type { UnitContact } from '@/lib/view/marks';
import { fillFromVin } from '@/lib/identity/decode-vin';
import { listChanges, recorderOf, type ActionContext } from '@/lib/audit/audit';
import { asManager, changeAsManager } from '@/lib/users/server/user-scope';
import { maySeeFleet } from '@/lib/base/viewer';
import { requireUsdot } from '@/lib/access/input';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';

interface DeviceContext extends ActionContext {
  env: { homeUsdot: string | null };
  /** @throws AppError 'not-embedded', 'database-unavailable' */
  openServiceAdmin: () => Promise<ServiceAdmin>;
}

/** The embedded service and the requested carrier; null: the one on the map. @throws as listDevices does */
const openCarrier = async (
  { viewer, env, openServiceAdmin }: DeviceContext,
  requestedUsdot: string | null,
) => {
  const service = await openServiceAdmin();
  const carriers = await listServedCarriers(service, viewer);
  const first = carriers.find((carrier) => carrier.usdot === env.homeUsdot) ?? carriers[0];
  const usdot = requestedUsdot === null ? (first?.usdot ?? '') : requireUsdot(requestedUsdot);
  if (requestedUsdot !== null) requireInScope(viewer, usdot);
  return { service, carriers, usdot };
};

/** The reports of a carrier's devices that were refused, the newest first. @throws as listDevices does */
export const listRefusals = async (
  context: DeviceContext,
  requestedUsdot: string | null,
): Promise<Refusals> => {
  const { service, carriers, usdot } = await openCarrier(context, requestedUsdot);
  return { usdot, refusals: await service.refusals.list(usdot), carriers, nowMs: context.clock.nowMs() };
};

/**
 * A carrier's vehicles with the last reports of their devices, and its ingest tokens.
 * @param requestedUsdot the carrier's USDOT number; null: the one on the map, or the first in the viewer's scope
 * @throws AppError 'unknown-fleet', 'not-embedded', 'database-unavailable'
 */
export const listDevices = async (
  context: DeviceContext,
  requestedUsdot: string | null,
): Promise<Devices> => {
  const { viewer, clock } = context;
  const { service, carriers, usdot } = await openCarrier(context, requestedUsdot);
  const { orm } = await context.database.open();
  const [devices, tokens, contacts] = await Promise.all([
    service.devices.list(usdot),
    service.ingestTokens.list(usdot),
    listContacts(orm, usdot, viewer),
  ]);
  const inScope = tokens.filter((token) => maySeeFleet(viewer, token.usdot)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const shown = z.array(ingestTokenSchema).parse(await withHiddenCreators(context, inScope));
  return { usdot, devices, contacts, tokens: shown, carriers, nowMs: clock.nowMs() };
};

/** Where the vehicles of an own carrier are. */
export type VehicleSource = Pick<DeviceContext, 'openServiceAdmin'> & { env: { source: string | null } };

/** A vehicle of an own carrier; its VIN is its key. */
export interface OwnVehicle {
  vin: string;
  truckNumber: string | null;
}

/** The vehicles of an own carrier; null: the fleet is a provider's, whose trucks come and go. @throws AppError 'database-unavailable' */
export const listOwnVehicles = async (
  { env, openServiceAdmin }: VehicleSource,
  usdot: string,
  tx?: Executor,
): Promise<readonly OwnVehicle[] | null> =>
  // Answers about the demo's trucks have simulated faults, also in their VINs.
  env.source === 'own' ? (await openServiceAdmin()).vehicles.list(usdot, tx) : null;

/** Requires that the own carrier has these vehicles. @throws AppError 'unknown-unit', 'database-unavailable' */
export const requireVehicles = async (
  source: VehicleSource,
  usdot: string,
  units: readonly string[],
  tx?: Executor,
): Promise<void> => {
  const own = await listOwnVehicles(source, usdot, tx);
  if (own === null) return;
  const vins = new Set(own.map(({ vin }) => vin));
  const unknown = units.find((unit) => !vins.has(unit));
  if (unknown !== undefined)
    throw new AppError('unknown-unit', { detail: `The fleet has no truck ${unknown}.` });
};

const toVin = (text: string): string => text.trim().toUpperCase();

const emptyToNull = (text: string | null): string | null => text?.trim() || null;

const FIELDS = [
  ...(['truckNumber', 'deviceId', 'plateState', 'plateNumber', 'assetType'] as const),
  ...(['make', 'model', 'year', 'fuelType', 'registeredUsdot', 'registeredMcNumber'] as const),
];

/** The given fields of a vehicle, empty ones as null. */
const toFields = ({ usdot: _usdot, vin: _vin, contact: _contact, ...given }: Vehicle) => {
  const fields = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? emptyToNull(value) : value,
  ]);
  return Object.fromEntries(fields) as VehicleFields;
};

/** The fields of a vehicle; one without a device has an identifier of its own, which no other vehicle has. */
const withDevice = async (
  { vehicles }: ServiceAdmin,
  usdot: string,
  vin: string,
  fields: VehicleFields,
  tx: Executor,
): Promise<VehicleFields> => {
  if (fields.deviceId !== null) return fields;
  const holders = await vehicles.lockDevices(usdot, tx);
  const before = [...holders].find(([, holder]) => holder === vin)?.[0] ?? null;
  const isTaken = (id: string): boolean => (holders.get(id) ?? vin) !== vin;
  return { ...fields, deviceId: toOwnDeviceId(vin, before, isTaken) };
};

/** @throws AppError 'unknown-fleet', InvalidRecordError, 'vehicle-taken', DeviceTakenError, UnknownCarrierError */
export const addVehicle = async (context: DeviceContext, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const service = await context.openServiceAdmin();
  const { vehicles } = service;
  const vin = toVin(input.vin);
  const known = await vehicles.readByVin(vin);
  // The answer does not name the vehicle's carrier, which may be outside the viewer's scope.
  if (known !== null)
    throw new AppError('vehicle-taken', {
      detail:
        known.usdot === usdot
          ? 'The vehicle is in the list already.'
          : 'The vehicle drives for another carrier.',
    });
  const given = toFields(input);
  const nowMs = context.clock.nowMs();
  const fill = fillFromVin(vin, nowMs);
  const filled = { ...given, make: given.make ?? fill.make, year: given.year ?? fill.year };
  await changeAsManager(context, 'vehicle.add', [usdot], async (tx, record) => {
    const vehicle = { vin, ...(await withDevice(service, usdot, vin, filled, tx)) };
    await vehicles.upsertMany([{ usdot, ...vehicle }], tx);
    await record(vehicle.truckNumber ?? vin, { usdot, ...vehicle });
    if (input.contact) await writeContacts(tx, record, usdot, [{ ...input.contact, unit: vin }], nowMs);
  });
};

/**
 * Sets the given fields of a vehicle; null removes them, and one without a device has an identifier of its own.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle', InvalidRecordError, DeviceTakenError
 */
export const changeVehicle = async (context: DeviceContext, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const service = await context.openServiceAdmin();
  const vin = toVin(input.vin);
  await changeAsManager(context, 'vehicle.change', [usdot], async (tx, record) => {
    const after = await withDevice(service, usdot, vin, toFields(input), tx);
    const before = await service.vehicles.change(usdot, vin, after, tx);
    if (before === null) throw new AppError('unknown-vehicle');
    const changes = listChanges(before, { ...before, ...after }, FIELDS);
    await record(after.truckNumber ?? vin, { usdot, vin, ...changes });
    const { contact } = input;
    if (contact) await writeContacts(tx, record, usdot, [{ ...contact, unit: vin }], context.clock.nowMs());
  });
};

/**
 * Removes a vehicle with all that it has reported, and its contacts, notes and tags; the next mail of a report about it is the last.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle'
 */
export const removeVehicle = async (context: DeviceContext, input: RemovedVehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const { vehicles } = await context.openServiceAdmin();
  const vin = toVin(input.vin);
  await changeAsManager(context, 'vehicle.remove', [usdot], async (tx, record) => {
    const removed = await vehicles.remove(vin, usdot, tx);
    if (removed === null) throw new AppError('unknown-vehicle');
    await deleteContact(tx, record, usdot, vin);
    for (const table of ['unit_notes', 'unit_tags'])
      await tx.execute(
        sql`DELETE FROM linehaul.${sql.identifier(table)} WHERE usdot = ${usdot} AND unit = ${vin}`,
      );
    await tx.execute(
      sql`UPDATE linehaul.report_mails SET is_ending = true WHERE usdot = ${usdot} AND unit = ${vin}`,
    );
    await record(removed.truckNumber ?? vin, { usdot, vin });
  });
};

const toList = <Row>(rows: Row[]): { count: number; rows: Row[] } => ({
  count: rows.length,
  rows: rows.slice(0, MAX_RETURNED_ROWS),
});

const toImportedVehicle = ({ line, vehicle, filledFrom, changes, contact }: PlannedVehicle) => {
  const { vin, truckNumber, deviceId, year, make, model } = vehicle;
  const about = [year, make, model].filter((part) => part !== null).join(' ') || null;
  return { line, vin, truckNumber, deviceId, about, contact: contactText(contact), filledFrom, changes };
};

const toPreview = ({ id, vehicles, faults, warnings }: VehiclePlan) => {
  const vehiclesOf = (wanted: 'added' | 'changed' | 'unchanged') => {
    const { count, rows } = toList(vehicles.filter(({ kind }) => kind === wanted));
    return { count, rows: rows.map(toImportedVehicle) };
  };
  return {
    id,
    added: vehiclesOf('added'),
    changed: vehiclesOf('changed'),
    unchanged: vehiclesOf('unchanged'),
    faults: toList(faults.filter(({ isDuplicate }) => !isDuplicate)),
    duplicates: toList(faults.filter(({ isDuplicate }) => isDuplicate)),
    warnings: toList(warnings),
  };
};

type PlannedVehicle = ImportPlan['vehicles'][number] & { contact: UnitContact | null };

/** The plan of a file with the contacts in it. */
interface VehiclePlan extends Omit<ImportPlan, 'vehicles'> {
  vehicles: PlannedVehicle[];
  /** The contacts that the file changes. */
  contacts: UnitContact[];
}

/** Adds to the plan of a file of vehicles what its columns of contacts change. */
const withContacts = async (
  database: DeviceContext['database'],
  usdot: string,
  table: Table,
  plan: ImportPlan,
  tx?: Executor,
): Promise<VehiclePlan> => {
  const { byLine, faults } = readContacts(table, (columns) => columns.includes('vin'));
  // What is planned in a transaction is written in it.
  if (tx !== undefined) await lockFleet(tx, usdot);
  const orm = tx ?? (await database.open()).orm;
  const vins = plan.vehicles.map(({ vehicle }) => vehicle.vin);
  const known = await readContactsOf(orm, usdot, vins);
  const contacts: UnitContact[] = [];
  const vehicles = plan.vehicles.map((each): PlannedVehicle => {
    const { vin } = each.vehicle;
    const { contact, changes } = mergeContact(vin, known.get(vin) ?? null, byLine.get(each.line) ?? {});
    if (changes.length === 0) return { ...each, contact };
    contacts.push(contact);
    const kind = each.kind === 'unchanged' ? 'changed' : each.kind;
    return { ...each, kind, contact, changes: kind === 'added' ? [] : [...each.changes, ...changes] };
  });
  const changed = vehicles.filter(({ kind }) => kind === 'changed').length;
  const id = contacts.length === 0 ? plan.id : toHash([plan.id, contacts]);
  return { ...plan, id, vehicles, changed, contacts, faults: [...plan.faults, ...faults] };
};

const toHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/**
 * The changes that a file would make for the carrier, and the faults that stop it; with `tx`, as of that transaction.
 * @throws UnreadableFileError
 */
const planFor = async (
  { clock, database, openServiceAdmin }: DeviceContext,
  usdot: string,
  file: Uint8Array,
  tx?: Executor,
): Promise<VehiclePlan> => {
  const service = await openServiceAdmin();
  const table = await readTableFile(file);
  const options = {
    defaultUsdot: usdot,
    isMoveMeant: false,
    nowMs: clock.nowMs(),
    otherColumns: CONTACT_COLUMN_NAMES,
    toDeviceId: toOwnDeviceId,
    messages: {
      unknownCarrier: (number: string) => `there is no carrier ${number}`,
      otherOwner: (vin: string) => `${vin} drives for another carrier`,
    },
  };
  const read = await service.planImport(table, options, tx);
  const plan = await withContacts(database, usdot, table, read, tx);
  const ofOthers = plan.vehicles
    .filter(({ vehicle }) => vehicle.usdot !== usdot)
    .map(({ line }) => ({ line, column: 'usdot', message: `the file is imported for carrier ${usdot}` }));
  return { ...plan, faults: [...plan.faults, ...ofOthers].sort((a, b) => a.line - b.line) };
};

/**
 * Previews a file, and imports it if the preview is the confirmed one.
 * @throws AppError 'unknown-fleet', UnreadableFileError
 */
export const importVehicles = async (
  context: DeviceContext,
  { usdot: text, file, confirmed }: Import,
): Promise<ImportResult> => {
  const usdot = requireUsdot(text);
  requireInScope(context.viewer, usdot);
  const service = await context.openServiceAdmin();
  const bytes = Buffer.from(file, 'base64');
  if (confirmed === null) {
    const plan = await planFor(context, usdot, bytes);
    return { ...toPreview(plan), isImported: false, isOutdated: false };
  }
  // The import of a large file is too slow to hold the user lock, so the rights at its start apply.
  await asManager(context, [usdot], async () => undefined);
  return service.inTransaction(async (tx) => {
    const plan = await planFor(context, usdot, bytes, tx);
    const { id, added, changed, faults, contacts } = plan;
    const isImported = id === confirmed && faults.length === 0;
    if (isImported) {
      await plan.run();
      const record = recorderOf(context, 'vehicle.import', tx);
      await record(usdot, {
        usdot,
        added,
        changed,
        ...(contacts.length > 0 && { contacts: contacts.length }),
      });
      await writeContacts(tx, record, usdot, contacts, context.clock.nowMs());
    }
    return { ...toPreview(plan), isImported, isOutdated: !isImported };
  });
};

/** A carrier's vehicles as a CSV file that can be imported again. @throws AppError 'unknown-fleet' */
export const exportVehicles = async (
  { viewer, database, openServiceAdmin }: DeviceContext,
  requestedUsdot: string,
): Promise<string> => {
  const usdot = requireUsdot(requestedUsdot);
  requireInScope(viewer, usdot);
  const contacts = await listContacts((await database.open()).orm, usdot, viewer);
  const byVin = new Map(contacts.map((contact) => [contact.unit, contact]));
  return (await openServiceAdmin()).exportVehicles(usdot, {
    names: Object.values(CONTACT_COLUMNS),
    cellsOf: (vin) => toContactCells(byVin.get(vin) ?? null),
  });
};

/** @throws AppError 'unknown-fleet', InvalidRecordError, UnknownCarrierError */
export const createIngestToken = async (context: DeviceContext, input: NewToken): Promise<IssuedToken> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const { ingestTokens } = await context.openServiceAdmin();
  const about = { usdot, name: input.name, createdBy: toCreatorName(context.viewer) };
  return changeAsManager(context, 'ingest-token.create', [usdot], async (tx, record, { id: madeById }) => {
    const issued = await ingestTokens.create({ ...about, madeById }, tx);
    await record(input.name, { usdot, id: issued.id });
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeIngestToken = async (context: DeviceContext, id: string): Promise<void> => {
  const { ingestTokens } = await context.openServiceAdmin();
  const token = (await ingestTokens.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (token === undefined || !maySeeFleet(context.viewer, token.usdot))
    throw new AppError('unknown-credential');
  const { usdot, name } = token;
  await changeAsManager(context, 'ingest-token.revoke', [usdot], async (tx, record) => {
    if (!(await ingestTokens.revoke(id, tx))) throw new AppError('unknown-credential');
    await record(name, { usdot, id });
  });
};
