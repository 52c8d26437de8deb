import 'server-only';
import { AppError } from '@/lib/http/problems';
import { z } from 'zod';
import { ingestTokenSchema } from '@/lib/api-keys/schema';
import type { Devices, Import, ImportResult, IssuedToken, NewToken, Vehicle } from '@/lib/devices/schema';
import {
  isTheirs,
  listServedCarriers,
  noteDone,
  requireSeen,
  toMaker,
  withHiddenMakers,
} from '@/lib/api-keys/server/api-keys';
import type { Doer } from '@/lib/api-keys/server/api-keys';
import { requireUsdot } from '@/lib/http/guards';

/** The maximum number of CSV lines in the response. */
const TOLD_LINES = 200;

/**
 * A carrier's vehicles with the last reports of their devices, and its ingest tokens.
 * @param asked the carrier's USDOT number; null: the first in the viewer's scope
 * @throws AppError 'unknown-fleet', 'not-embedded', 'database-unavailable'
 */
export const listDevices = async (
  { runtime, viewer }: Omit<Doer, 'client'>,
  asked: string | null,
): Promise<Devices> => {
  const store = await runtime.openServiceStore();
  const carriers = await listServedCarriers(store, viewer);
  const usdot = asked === null ? (carriers[0]?.usdot ?? '') : requireUsdot(asked);
  if (asked !== null) requireSeen(viewer, usdot);
  const [devices, tokens] = await Promise.all([store.devices.list(usdot), store.ingestTokens.list(usdot)]);
  const theirs = tokens.filter((token) => isTheirs(viewer, token)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const shown = z.array(ingestTokenSchema).parse(await withHiddenMakers({ runtime, viewer }, theirs));
  return { usdot, devices, tokens: shown, carriers, nowMs: runtime.now() };
};

const toVin = (text: string): string => text.trim().toUpperCase();

const emptyToNull = (text: string | null): string | null => text?.trim() || null;

/** @throws AppError 'unknown-fleet', InvalidRecordError, 'vehicle-taken', DeviceTakenError, UnknownCarrierError */
export const addVehicle = async (doer: Doer, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireSeen(doer.viewer, usdot);
  const { vehicles } = await doer.runtime.openServiceStore();
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
  await doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx) => {
    await vehicles.upsertMany([{ usdot, ...vehicle }], tx);
    await noteDone(doer, 'vehicle.add', vehicle.truckNumber ?? vin, { usdot, ...vehicle }, tx);
  });
};

/**
 * Sets a vehicle's truck number and device; null removes them.
 * @throws AppError 'unknown-fleet', 'unknown-vehicle', InvalidRecordError, DeviceTakenError
 */
export const changeVehicle = async (doer: Doer, input: Vehicle): Promise<void> => {
  const usdot = requireUsdot(input.usdot);
  requireSeen(doer.viewer, usdot);
  const { vehicles } = await doer.runtime.openServiceStore();
  const vin = toVin(input.vin);
  const after = { truckNumber: emptyToNull(input.truckNumber), deviceId: emptyToNull(input.deviceId) };
  await doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx) => {
    const before = await vehicles.change(usdot, vin, after, tx);
    if (before === null) throw new AppError('unknown-vehicle');
    const changes = (['truckNumber', 'deviceId'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { before: before[field], after: after[field] }]);
    const details = { usdot, vin, ...(Object.fromEntries(changes) as Record<string, unknown>) };
    await noteDone(doer, 'vehicle.change', after.truckNumber ?? vin, details, tx);
  });
};

/** Parses a file and imports it, unless it is a preview or has faults. @throws AppError 'unknown-fleet' */
export const importVehicles = async (
  doer: Doer,
  { usdot: text, csv, isPreview }: Import,
): Promise<ImportResult> => {
  const usdot = requireUsdot(text);
  requireSeen(doer.viewer, usdot);
  const [{ planImport }, store] = await Promise.all([
    import('@/service/command/vehicles/import-plan'),
    doer.runtime.openServiceStore(),
  ]);
  const plan = await planImport(store, csv, {
    defaultUsdot: usdot,
    isMoveMeant: false,
    messages: {
      unknownCarrier: (number) => `there is no carrier ${number}`,
      otherOwner: (vin) => `${vin} drives for another carrier`,
    },
  });
  const strangers = plan.vehicles
    .filter((vehicle) => vehicle.usdot !== usdot)
    .map(({ line }) => ({ line, column: 'usdot', message: `the file is imported for carrier ${usdot}` }));
  const faults = [...plan.faults, ...strangers].sort((a, b) => a.line - b.line);
  const isImported = faults.length === 0 && !isPreview;
  const { added, changed, unchanged, warnings } = plan;
  if (isImported) {
    // The import of a large file is too slow to hold the user lock, so the rights at its start apply.
    await doer.runtime.accounts.asManager(doer.viewer, [usdot], async () => undefined);
    await store.inTransaction(async (tx) => {
      await plan.run(tx);
      await noteDone(doer, 'vehicle.import', usdot, { usdot, added, changed }, tx);
    });
  }
  return {
    isImported,
    added,
    changed,
    unchanged,
    faults: faults.slice(0, TOLD_LINES),
    faultCount: faults.length,
    warnings: warnings.slice(0, TOLD_LINES),
    warningCount: warnings.length,
  };
};

/** @throws AppError 'unknown-fleet', InvalidRecordError, UnknownCarrierError */
export const createIngestToken = async (doer: Doer, input: NewToken): Promise<IssuedToken> => {
  const usdot = requireUsdot(input.usdot);
  requireSeen(doer.viewer, usdot);
  const { ingestTokens } = await doer.runtime.openServiceStore();
  const about = { usdot, name: input.name, createdBy: toMaker(doer.viewer) };
  return doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await ingestTokens.create({ ...about, madeById }, tx);
    await noteDone(doer, 'ingest-token.create', input.name, { usdot, id: issued.id }, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeIngestToken = async (doer: Doer, id: string): Promise<void> => {
  const { ingestTokens } = await doer.runtime.openServiceStore();
  const token = (await ingestTokens.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (token === undefined || !isTheirs(doer.viewer, token)) throw new AppError('unknown-credential');
  const { usdot, name } = token;
  await doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx) => {
    if (!(await ingestTokens.revoke(id, tx))) throw new AppError('unknown-credential');
    await noteDone(doer, 'ingest-token.revoke', name, { usdot, id }, tx);
  });
};
