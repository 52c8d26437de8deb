import {
  DeviceTakenError,
  InvalidRecordError,
  RepeatedVehicleError,
  UnknownCarrierError,
} from '../store/errors';
import { openStore } from '../store/store';
import { toInteger } from './arguments';
import { CommandFailure } from './command';
import type { ServiceLog } from '../log';
import type { Store } from '../store/store';
import type { CommandContext } from './command';

const RETENTION_DAYS = { min: 1, max: 36_500, fallback: 30 };
const EXPECTED_ERRORS = [UnknownCarrierError, InvalidRecordError, RepeatedVehicleError, DeviceTakenError];

/** Opens the store while `act` runs. Expected errors of the store become CommandFailure. */
export const withStore = async <T>(
  { databaseUrl, now, env = process.env }: CommandContext,
  act: (store: Store) => Promise<T>,
  log?: ServiceLog,
): Promise<T> => {
  const retentionDays = toInteger(
    env.FIX_RETENTION_DAYS?.trim() || undefined,
    'FIX_RETENTION_DAYS',
    RETENTION_DAYS,
  );
  const store = await openStore({ databaseUrl, now, retentionDays, ...(log && { log }) });
  try {
    return await act(store);
  } catch (error) {
    const expected = EXPECTED_ERRORS.some((kind) => error instanceof kind);
    if (error instanceof Error && expected) throw new CommandFailure(error.message, { cause: error });
    throw error;
  } finally {
    await store.close();
  }
};

/** Creates an ingest token of a carrier while `act` runs. */
export const withTemporaryToken = async <T>(
  { ingestTokens }: Store,
  usdot: string,
  name: string,
  act: (token: string) => Promise<T>,
): Promise<T> => {
  const { id, token } = await ingestTokens.create({ usdot, name, createdBy: 'command line' });
  try {
    return await act(token);
  } finally {
    await ingestTokens.revoke(id);
  }
};
