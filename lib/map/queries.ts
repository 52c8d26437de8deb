import { ServerProblemError, ServerUnreachableError, fetchJson } from '../browser/fetch-json';
import { mapStateSchema, type MapState } from './schema';

/** Which sources of the map work now; null while our own server does not answer. */
export const readMapState = async (): Promise<MapState | null> => {
  try {
    return await fetchJson('/api/map', mapStateSchema);
  } catch (error) {
    if (error instanceof ServerUnreachableError || error instanceof ServerProblemError) return null;
    throw error;
  }
};
