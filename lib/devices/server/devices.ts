import 'server-only';
import { createHash } from 'node:crypto';
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
import { CONTACT_FIELDS } from '@/lib/contacts/contact';
import { mergeContact, readContacts } from '@/lib/contacts/contact-table';
import { CONTACT_COLUMNS, CONTACT_COLUMN_NAMES } from '@/lib/table-files/contact-columns';
import {
  deleteContact,
  listContacts,
  readContactsOf,
  writeContact,
  writeContacts,
} from '@/lib/contacts/server/contacts';
import { contactText, toContactCells } from '@/lib/contacts/text';
import type { Table } from '@/lib/table-files/table';
import { readTableFile } from '@/lib/table-files/table-file';
import type { UnitContact } from '@/lib/view/marks';
import { fillFromVin } from '@/lib/identity/decode-vin';
import { listChanges, type ActionContext, type RecordAction } from '@/lib/audit/audit';
import { asManager, changeAsManager } from '@/lib/users/server/user-scope';
import { maySeeFleet } from '@/lib/base/viewer';
import { requireUsdot } from '@/lib/access/input';
import type { Executor } from '@/lib/database/database';

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

const toVin = (text: string): string => text.trim().toUpperCase();

const emptyToNull = (text: string | null): string | null => text?.trim() || null;

const FIELDS = [
  ...(['truckNumber', 'deviceId', 'plateState', 'plateNumber', 'assetType'] as const),
  ...(['make', 'model', 'year', 'fuelType', 'registeredUsdot', 'registeredMcNumber'] as const),
];

/** The given fields of a vehicle, empty ones as null; one without a device has an identifier of its own. */
const toFields = (vin: string, { usdot: _usdot, vin: _vin, contact: _contact, ...given }: Vehicle) => {
  const fields = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? emptyToNull(value) : value,
  ]);
  const read = Object.fromEntries(fields) as VehicleFields;
  return { ...read, deviceId: read.deviceId ?? toOwnDeviceId(vin) };
};

/** Stores the contacts that came with a vehicle, with an audit record of their own. */
const writeVehicleContact = async (
  tx: Executor,
  record: RecordAction,
  { clock }: Pick<DeviceContext, 'clock'>,
  { usdot, vin, contact, truckNumber }: Vehicle,
): Promise<void> => {
  if (contact === undefined) return;
  const before = await writeContact(tx, usdot, { ...contact, unit: vin }, clock.nowMs());
  const changes = listChanges(before, contact, CONTACT_FIELDS);
  if (Object.keys(changes).length > 0)
    await record(truckNumber ?? vin, { usdot, vin, ...changes }, 'contact.change');
};

/** @throws AppError 'unknown-fleet', InvalidRecordError, 'vehicle-taken', DeviceTakenError, UnknownCarrierError */
export const addVehicle = async (context: DeviceContext, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const { vehicles } = await context.openServiceAdmin();
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
  const fields = toFields(vin, input);
  const fill = fillFromVin(vin, context.clock.nowMs());
  const vehicle = { vin, ...fields, make: fields.make ?? fill.make, year: fields.year ?? fill.year };
  await changeAsManager(context, 'vehicle.add', [usdot], async (tx, record) => {
    await vehicles.upsertMany([{ usdot, ...vehicle }], tx);
    await record(vehicle.truckNumber ?? vin, { usdot, ...vehicle });
    await writeVehicleContact(tx, record, context, { ...input, ...vehicle, usdot });
  });
};

/**
 * Sets the given fields of a vehicle; null removes them, and one without a device has an identifier of its own.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle', InvalidRecordError, DeviceTakenError
 */
export const changeVehicle = async (context: DeviceContext, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const { vehicles } = await context.openServiceAdmin();
  const vin = toVin(input.vin);
  const after = toFields(vin, input);
  await changeAsManager(context, 'vehicle.change', [usdot], async (tx, record) => {
    const before = await vehicles.change(usdot, vin, after, tx);
    if (before === null) throw new AppError('unknown-vehicle');
    const changes = listChanges(before, { ...before, ...after }, FIELDS);
    await record(after.truckNumber ?? vin, { usdot, vin, ...changes });
    await writeVehicleContact(tx, record, context, { ...input, usdot, vin });
  });
};

/**
 * Removes a vehicle with all that it has reported, and its contacts.
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
    await deleteContact(tx, usdot, vin);
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
  orm: Executor,
  usdot: string,
  table: Table,
  plan: ImportPlan,
): Promise<VehiclePlan> => {
  const { byLine, faults } = readContacts(table, (columns) => columns.includes('vin'));
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
  const plan = await withContacts(tx ?? (await database.open()).orm, usdot, table, read);
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
      await writeContacts(tx, usdot, contacts, context.clock.nowMs());
      const details = { usdot, added, changed, ...(contacts.length > 0 && { contacts: contacts.length }) };
      const { viewer: by, client } = context;
      const event = { by, action: 'vehicle.import', subject: usdot, address: client.address } as const;
      await context.audit.record({ ...event, details }, tx);
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
