import { signIn } from '../auth/queries';
import { sendJson } from '../browser/fetch-json';
import { connectedSchema, demoRemovedSchema } from './schema';
import type { Connected, SourceChangeInput } from './schema';

/**
 * Chooses where the fleets come from, and signs in as the first manager if one is created. The answer is the fleet of
 * a provider, null for other sources. @throws ServerUnreachableError, ServerProblemError
 */
export const changeSource = async (change: SourceChangeInput): Promise<Connected | null> => {
  const response = await sendJson('PUT', '/api/fleet-source', change);
  const connected = response.status === 204 ? null : connectedSchema.parse(await response.json());
  const { manager } = change;
  if (manager !== null) await signIn({ email: manager.email, password: manager.password });
  return connected;
};

/** Removes the demo's data; false where there was none. @throws ServerUnreachableError, ServerProblemError */
export const removeDemo = async (): Promise<boolean> =>
  demoRemovedSchema.parse(await (await sendJson('DELETE', '/api/fleet-source/demo', {})).json()).isRemoved;
