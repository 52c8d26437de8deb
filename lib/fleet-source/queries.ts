import { sendJson } from '../browser/fetch-json';
import { forgetCopies } from '@/lib/browser/owner';
import { connectedSchema, demoRemovedSchema, type Connected, type SourceChangeInput } from './schema';

/**
 * Chooses where the fleets come from, and deletes what this browser keeps of the earlier ones. The answer is the fleet
 * of a provider, null for other sources. @throws ServerUnreachableError, ServerProblemError
 */
export const changeSource = async (change: SourceChangeInput): Promise<Connected | null> => {
  const response = await sendJson('PUT', '/api/fleet-source', change);
  await forgetCopies();
  return response.status === 204 ? null : connectedSchema.parse(await response.json());
};

/** Removes the demo's data; false where there was none. @throws ServerUnreachableError, ServerProblemError */
export const removeDemo = async (): Promise<boolean> =>
  demoRemovedSchema.parse(await (await sendJson('DELETE', '/api/fleet-source/demo', {})).json()).isRemoved;
