import 'server-only';
import { AppError } from '@/lib/http/problems';
import { z } from 'zod';
import type { Client } from '@/lib/auth/server/client';
import type { Executor } from '@/lib/postgres/database';
import { apiKeySchema } from '@/lib/api-keys/schema';
import type {
  ApiKey,
  ApiKeys,
  IssuedKey,
  KeyAccess,
  KeyChange,
  NewKey,
  ServedCarrier,
} from '@/lib/api-keys/schema';
import type { AuditAction } from '@/lib/audit/schema';
import { isOwnCredential } from '@/service/store/credentials/key-records';
import { maySeeFleet } from '@/lib/auth/viewer';
import type { Viewer } from '@/lib/auth/viewer';
import type { Store } from '@/service/store/store';
import type { Runtime } from '@/lib/http/runtime';
import { requireUsdot } from '@/lib/http/guards';

/** The viewer and client behind a change to the embedded service. */
export interface Doer {
  runtime: Runtime;
  viewer: Viewer;
  client: Client;
}

/** Writes a viewer's action to the audit log, in the given transaction if there is one. `details` holds no secret. */
export const noteDone = (
  { runtime, viewer, client }: Doer,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown>,
  tx?: Executor,
): Promise<void> =>
  runtime.accounts.audit.note({ by: viewer, action, subject, address: client.address, details }, tx);

/**
 * @throws AppError 'unknown-fleet' for a carrier outside the viewer's scope and for one that does not exist
 * (respond.ts)
 */
export const requireSeen = (viewer: Viewer, usdot: string): void => {
  if (!maySeeFleet(viewer, usdot)) throw new AppError('unknown-fleet');
};

/** The display name of the user who created a key or token. */
export const toMaker = ({ email, name }: Viewer): string => email ?? name;

/** The carriers of the service whose fleets are in the viewer's scope. */
export const listServedCarriers = async (store: Store, viewer: Viewer): Promise<ServedCarrier[]> =>
  (await store.carriers.list())
    .filter(({ usdot }) => maySeeFleet(viewer, usdot))
    .map(({ usdot, companyName }) => ({ usdot, companyName }));

/** Whether a viewer may see a key or token; the embedded service's own demo credentials are excluded. */
export const isTheirs = (
  viewer: Viewer,
  credential: { usdot: string; name: string; createdBy: string | null },
): boolean => maySeeFleet(viewer, credential.usdot) && !isOwnCredential(credential);

/** Credentials with each creator outside the viewer's scope hidden. @throws AppError 'accounts-unavailable' */
export const withHiddenMakers = async <Made extends { createdBy: string | null }>(
  { runtime, viewer }: Omit<Doer, 'client'>,
  credentials: Made[],
): Promise<Made[]> => {
  const hideName = await runtime.accounts.hideNames(viewer);
  return credentials.map((each) => ({
    ...each,
    createdBy: each.createdBy === null ? null : hideName(each.createdBy),
  }));
};

/** The API keys in the viewer's scope, newest first. @throws AppError 'not-embedded', 'database-unavailable' */
export const listApiKeys = async ({ runtime, viewer }: Omit<Doer, 'client'>): Promise<ApiKeys> => {
  const store = await runtime.openServiceStore();
  const theirs = (await store.keys.list()).filter((key) => isTheirs(viewer, key)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const keys = z.array(apiKeySchema).parse(await withHiddenMakers({ runtime, viewer }, theirs));
  return { keys, carriers: await listServedCarriers(store, viewer), nowMs: runtime.now() };
};

const requireApiKey = async (store: Store, viewer: Viewer, id: string): Promise<ApiKey> => {
  const key = (await store.keys.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (key === undefined || !isTheirs(viewer, key)) throw new AppError('unknown-credential');
  return key;
};

/** Audit details of a key's access: its limits only. */
const toDetails = (usdot: string, access: KeyAccess): Record<string, unknown> => ({
  usdot,
  ...Object.fromEntries(Object.entries(access).filter(([, value]) => value !== null)),
});

/** @throws AppError 'unknown-fleet', InvalidRecordError, UnknownCarrierError */
export const createApiKey = async (doer: Doer, input: NewKey): Promise<IssuedKey> => {
  const usdot = requireUsdot(input.usdot);
  requireSeen(doer.viewer, usdot);
  const store = await doer.runtime.openServiceStore();
  const createdBy = toMaker(doer.viewer);
  return doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await store.keys.create({ ...input, usdot, createdBy, madeById }, tx);
    const details = { ...toDetails(usdot, input.access), id: issued.id };
    await noteDone(doer, 'api-key.create', input.name, details, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential', InvalidRecordError */
export const changeApiKey = async (doer: Doer, id: string, change: KeyChange): Promise<void> => {
  const store = await doer.runtime.openServiceStore();
  const { usdot } = await requireApiKey(store, doer.viewer, id);
  await doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx) => {
    if (!(await store.keys.change(id, change, tx))) throw new AppError('unknown-credential');
    await noteDone(doer, 'api-key.change', change.name, { ...toDetails(usdot, change.access), id }, tx);
  });
};

/** @throws AppError 'unknown-credential' */
export const rotateApiKey = async (doer: Doer, id: string, overlapMs: number): Promise<IssuedKey> => {
  const store = await doer.runtime.openServiceStore();
  const { usdot, name } = await requireApiKey(store, doer.viewer, id);
  return doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await store.keys.rotate(id, overlapMs, madeById, tx);
    if (issued === null) throw new AppError('unknown-credential');
    await noteDone(doer, 'api-key.rotate', name, { usdot, id, overlapMs }, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeApiKey = async (doer: Doer, id: string): Promise<void> => {
  const store = await doer.runtime.openServiceStore();
  const { usdot, name } = await requireApiKey(store, doer.viewer, id);
  await doer.runtime.accounts.asManager(doer.viewer, [usdot], async (tx) => {
    if (!(await store.keys.revoke(id, tx))) throw new AppError('unknown-credential');
    await noteDone(doer, 'api-key.revoke', name, { usdot, id }, tx);
  });
};
