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
  recordAction,
  requireInScope,
  toCreatorName,
  withHiddenCreators,
  type Actor,
} from '@/lib/api-keys/server/api-keys';
import type { ImportPlan } from './service-admin';
import { maySeeFleet } from '@/lib/base/viewer';
import { requireUsdot } from '@/lib/access/input';
import type { Executor } from '@/lib/database/database';

/** The embedded service and the requested carrier; null: the one on the map. @throws as listDevices does */
const openCarrier = async ({ runtime, viewer }: Omit<Actor, 'client'>, requestedUsdot: string | null) => {
  const service = await runtime.openServiceAdmin();
  const carriers = await listServedCarriers(service, viewer);
  const first = carriers.find((carrier) => carrier.usdot === runtime.env.homeUsdot) ?? carriers[0];
  const usdot = requestedUsdot === null ? (first?.usdot ?? '') : requireUsdot(requestedUsdot);
  if (requestedUsdot !== null) requireInScope(viewer, usdot);
  return { service, carriers, usdot };
};

/** The reports of a carrier's devices that were refused, the newest first. @throws as listDevices does */
export const listRefusals = async (
  actor: Omit<Actor, 'client'>,
  requestedUsdot: string | null,
): Promise<Refusals> => {
  const { service, carriers, usdot } = await openCarrier(actor, requestedUsdot);
  return {
    usdot,
    refusals: await service.refusals.list(usdot),
    carriers,
    nowMs: actor.runtime.clock.nowMs(),
  };
};

/**
 * A carrier's vehicles with the last reports of their devices, and its ingest tokens.
 * @param requestedUsdot the carrier's USDOT number; null: the one on the map, or the first in the viewer's scope
 * @throws AppError 'unknown-fleet', 'not-embedded', 'database-unavailable'
 */
export const listDevices = async (
  { runtime, viewer }: Omit<Actor, 'client'>,
  requestedUsdot: string | null,
): Promise<Devices> => {
  const { service, carriers, usdot } = await openCarrier({ runtime, viewer }, requestedUsdot);
  const [devices, tokens] = await Promise.all([
    service.devices.list(usdot),
    service.ingestTokens.list(usdot),
  ]);
  const inScope = tokens.filter((token) => maySeeFleet(viewer, token.usdot)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const shown = z.array(ingestTokenSchema).parse(await withHiddenCreators({ runtime, viewer }, inScope));
  return { usdot, devices, tokens: shown, carriers, nowMs: runtime.clock.nowMs() };
};

const toVin = (text: string): string => text.trim().toUpperCase();

const emptyToNull = (text: string | null): string | null => text?.trim() || null;

/** @throws AppError 'unknown-fleet', InvalidRecordError, 'vehicle-taken', DeviceTakenError, UnknownCarrierError */
export const addVehicle = async (actor: Actor, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(actor.viewer, usdot);
  const { vehicles } = await actor.runtime.openServiceAdmin();
  const vin = toVin(input.vin);
  const known = await vehicles.readByVin(vin);
  // The answer does not name the vehicle's carrier, which may be outside the viewer's scope.
  if (known !== null) {
    throw new AppError('vehicle-taken', {
      detail:
        known.usdot === usdot
          ? 'The vehicle is in the list already.'
          : 'The vehicle drives for another carrier.',
    });
  }
  const vehicle = { vin, truckNumber: emptyToNull(input.truckNumber), deviceId: emptyToNull(input.deviceId) };
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx) => {
    await vehicles.upsertMany([{ usdot, ...vehicle }], tx);
    await recordAction(actor, 'vehicle.add', vehicle.truckNumber ?? vin, { usdot, ...vehicle }, tx);
  });
};

/**
 * Sets a vehicle's truck number and device; null removes them.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle', InvalidRecordError, DeviceTakenError
 */
export const changeVehicle = async (actor: Actor, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(actor.viewer, usdot);
  const { vehicles } = await actor.runtime.openServiceAdmin();
  const vin = toVin(input.vin);
  const after = { truckNumber: emptyToNull(input.truckNumber), deviceId: emptyToNull(input.deviceId) };
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx) => {
    const before = await vehicles.change(usdot, vin, after, tx);
    if (before === null) throw new AppError('unknown-vehicle');
    const changes = (['truckNumber', 'deviceId'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { before: before[field], after: after[field] }]);
    const details = { usdot, vin, ...(Object.fromEntries(changes) as Record<string, unknown>) };
    await recordAction(actor, 'vehicle.change', after.truckNumber ?? vin, details, tx);
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

/** What a file would change for the carrier, and the faults that stop it; with `tx`, as of that transaction. */
const planFor = async (
  { runtime }: Actor,
  usdot: string,
  file: Uint8Array,
  tx?: Executor,
): Promise<ImportPlan> => {
  const service = await runtime.openServiceAdmin();
  const options = {
    defaultUsdot: usdot,
    isMoveMeant: false,
    nowMs: runtime.clock.nowMs(),
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
 *
 * @throws AppError 'unknown-fleet', UnreadableFileError
 */
export const importVehicles = async (
  actor: Actor,
  { usdot: text, file, confirmed }: Import,
): Promise<ImportResult> => {
  const usdot = requireUsdot(text);
  requireInScope(actor.viewer, usdot);
  const service = await actor.runtime.openServiceAdmin();
  const bytes = Buffer.from(file, 'base64');
  if (confirmed === null) {
    const plan = await planFor(actor, usdot, bytes);
    return { ...toPreview(plan), isImported: false, isOutdated: false };
  }
  // The import of a large file is too slow to hold the user lock, so the rights at its start apply.
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async () => undefined);
  return service.inTransaction(async (tx) => {
    const plan = await planFor(actor, usdot, bytes, tx);
    const { id, added, changed, faults } = plan;
    const isImported = id === confirmed && faults.length === 0;
    if (isImported) {
      await plan.run();
      await recordAction(actor, 'vehicle.import', usdot, { usdot, added, changed }, tx);
    }
    return { ...toPreview(plan), isImported, isOutdated: !isImported };
  });
};

/**
 * A carrier's vehicles as a CSV file, to be edited and imported again.
 *
 * @throws AppError 'unknown-fleet'
 */
export const exportVehicles = async ({ runtime, viewer }: Actor, requestedUsdot: string): Promise<string> => {
  const usdot = requireUsdot(requestedUsdot);
  requireInScope(viewer, usdot);
  return (await runtime.openServiceAdmin()).exportVehicles(usdot);
};

/** @throws AppError 'unknown-fleet', InvalidRecordError, UnknownCarrierError */
export const createIngestToken = async (actor: Actor, input: NewToken): Promise<IssuedToken> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(actor.viewer, usdot);
  const { ingestTokens } = await actor.runtime.openServiceAdmin();
  const about = { usdot, name: input.name, createdBy: toCreatorName(actor.viewer) };
  return actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await ingestTokens.create({ ...about, madeById }, tx);
    await recordAction(actor, 'ingest-token.create', input.name, { usdot, id: issued.id }, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeIngestToken = async (actor: Actor, id: string): Promise<void> => {
  const { ingestTokens } = await actor.runtime.openServiceAdmin();
  const token = (await ingestTokens.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (token === undefined || !maySeeFleet(actor.viewer, token.usdot))
    throw new AppError('unknown-credential');
  const { usdot, name } = token;
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx) => {
    if (!(await ingestTokens.revoke(id, tx))) throw new AppError('unknown-credential');
    await recordAction(actor, 'ingest-token.revoke', name, { usdot, id }, tx);
  });
};
