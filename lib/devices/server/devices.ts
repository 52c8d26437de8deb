import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { z } from 'zod';
import { ingestTokenSchema } from '@/lib/api-keys/schema';
import {
  MAX_RETURNED_ROWS,
  type Devices,
  type Import,
  type ImportResult,
  type IssuedToken,
  type NewToken,
  type Refusals,
  type Vehicle,
} from '@/lib/devices/schema';
import {
  listServedCarriers,
  requireInScope,
  toCreatorName,
  withHiddenCreators,
} from '@/lib/api-keys/server/api-keys';
import type { ImportPlan, ServiceAdmin } from './service-admin';
import { listChanges, type ActionContext } from '@/lib/audit/audit';
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
  const [devices, tokens] = await Promise.all([
    service.devices.list(usdot),
    service.ingestTokens.list(usdot),
  ]);
  const inScope = tokens.filter((token) => maySeeFleet(viewer, token.usdot)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const shown = z.array(ingestTokenSchema).parse(await withHiddenCreators(context, inScope));
  return { usdot, devices, tokens: shown, carriers, nowMs: clock.nowMs() };
};

const toVin = (text: string): string => text.trim().toUpperCase();

const emptyToNull = (text: string | null): string | null => text?.trim() || null;

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
  const vehicle = { vin, truckNumber: emptyToNull(input.truckNumber), deviceId: emptyToNull(input.deviceId) };
  await changeAsManager(context, 'vehicle.add', [usdot], async (tx, record) => {
    await vehicles.upsertMany([{ usdot, ...vehicle }], tx);
    await record(vehicle.truckNumber ?? vin, { usdot, ...vehicle });
  });
};

/**
 * Sets a vehicle's truck number and device; null removes them.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle', InvalidRecordError, DeviceTakenError
 */
export const changeVehicle = async (context: DeviceContext, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const { vehicles } = await context.openServiceAdmin();
  const vin = toVin(input.vin);
  const after = { truckNumber: emptyToNull(input.truckNumber), deviceId: emptyToNull(input.deviceId) };
  await changeAsManager(context, 'vehicle.change', [usdot], async (tx, record) => {
    const before = await vehicles.change(usdot, vin, after, tx);
    if (before === null) throw new AppError('unknown-vehicle');
    const changes = listChanges(before, after, ['truckNumber', 'deviceId']);
    await record(after.truckNumber ?? vin, { usdot, vin, ...changes });
  });
};

const toList = <Row>(rows: Row[]): { count: number; rows: Row[] } => ({
  count: rows.length,
  rows: rows.slice(0, MAX_RETURNED_ROWS),
});

const toImportedVehicle = ({ line, vehicle, filledFrom, changes }: ImportPlan['vehicles'][number]) => {
  const { vin, truckNumber, deviceId, year, make, model } = vehicle;
  const about = [year, make, model].filter((part) => part !== null).join(' ') || null;
  return { line, vin, truckNumber, deviceId, about, filledFrom, changes };
};

const toPreview = ({ id, vehicles, faults, warnings }: ImportPlan) => {
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

/** The changes that a file would make for the carrier, and the faults that stop it; with `tx`, as of that transaction. */
const planFor = async (
  { clock, openServiceAdmin }: DeviceContext,
  usdot: string,
  file: Uint8Array,
  tx?: Executor,
): Promise<ImportPlan> => {
  const service = await openServiceAdmin();
  const options = {
    defaultUsdot: usdot,
    isMoveMeant: false,
    nowMs: clock.nowMs(),
    messages: {
      unknownCarrier: (number: string) => `there is no carrier ${number}`,
      otherOwner: (vin: string) => `${vin} drives for another carrier`,
    },
  };
  const plan = await service.planImport(file, options, tx);
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
    const { id, added, changed, faults } = plan;
    const isImported = id === confirmed && faults.length === 0;
    if (isImported) {
      await plan.run();
      const details = { usdot, added, changed };
      const { viewer: by, client } = context;
      const event = { by, action: 'vehicle.import', subject: usdot, address: client.address } as const;
      await context.audit.record({ ...event, details }, tx);
    }
    return { ...toPreview(plan), isImported, isOutdated: !isImported };
  });
};

/** A carrier's vehicles as a CSV file that can be imported again. @throws AppError 'unknown-fleet' */
export const exportVehicles = async (
  { viewer, openServiceAdmin }: DeviceContext,
  requestedUsdot: string,
): Promise<string> => {
  const usdot = requireUsdot(requestedUsdot);
  requireInScope(viewer, usdot);
  return (await openServiceAdmin()).exportVehicles(usdot);
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
