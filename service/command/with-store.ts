import {
  DeviceTakenError,
  InvalidRecordError,
  RepeatedVehicleError,
  UnknownCarrierError,
} from '../store/errors';
import { openStore, type Store, type StoreOptions } from '../store/store';
import { CommandFailure, type CommandContext } from './command';

const EXPECTED_ERRORS = [UnknownCarrierError, InvalidRecordError, RepeatedVehicleError, DeviceTakenError];

/** Opens the store while `act` runs. Expected errors of the store become CommandFailure. */
export const withStore = async <T>(
  { databaseUrl, now }: CommandContext,
  act: (store: Store) => Promise<T>,
  options: Pick<StoreOptions, 'log' | 'retentionDays'> = {},
): Promise<T> => {
  const store = await openStore({ databaseUrl, now, ...options });
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
