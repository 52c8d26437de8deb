import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { z } from 'zod';
import { type Viewer, maySeeFleet } from '@/lib/base/viewer';
import type { ActionContext } from '@/lib/audit/audit';
import { changeAsManager, createHideName } from '@/lib/users/server/user-scope';
import {
  apiKeySchema,
  type ApiKeys,
  type IssuedKey,
  type KeyAccess,
  type KeyChange,
  type NewKey,
  type ServedCarrier,
  type ApiKey,
} from '@/lib/api-keys/schema';
import { requireUsdot } from '@/lib/access/input';
import type { Executor } from '@/lib/database/database';

interface KeyContext extends ActionContext {
  /** @throws AppError 'not-embedded', 'database-unavailable' */
  openServiceAdmin: () => Promise<KeyAdmin>;
}

/** @throws AppError 'unknown-fleet' for a carrier outside the viewer's scope and for one that does not exist (respond.ts) */
export const requireInScope = (viewer: Viewer, usdot: string): void => {
  if (!maySeeFleet(viewer, usdot)) throw new AppError('unknown-fleet');
};

/** The display name of the user who created a key or token. */
export const toCreatorName = ({ email, name }: Viewer): string => email ?? name;

export const listServedCarriers = async ({ carriers }: KeyAdmin, viewer: Viewer): Promise<ServedCarrier[]> =>
  (await carriers.list())
    .filter(({ usdot }) => maySeeFleet(viewer, usdot))
    .map(({ usdot, companyName }) => ({ usdot, companyName }));

/** Credentials with each creator outside the viewer's scope hidden. @throws AppError 'accounts-unavailable' */
export const withHiddenCreators = async <Credential extends { createdBy: string | null }>(
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  credentials: Credential[],
): Promise<Credential[]> => {
  const hideName = await createHideName(database, viewer);
  return credentials.map((each) => ({
    ...each,
    createdBy: each.createdBy === null ? null : hideName(each.createdBy),
  }));
};

/** The API keys in the viewer's scope, newest first. @throws AppError 'not-embedded', 'database-unavailable' */
export const listApiKeys = async (context: KeyContext): Promise<ApiKeys> => {
  const { viewer, clock } = context;
  const service = await context.openServiceAdmin();
  const inScope = (await service.keys.list()).filter(({ usdot }) => maySeeFleet(viewer, usdot)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const keys = z.array(apiKeySchema).parse(await withHiddenCreators(context, inScope));
  return { keys, carriers: await listServedCarriers(service, viewer), nowMs: clock.nowMs() };
};

const requireApiKey = async ({ keys }: KeyAdmin, viewer: Viewer, id: string): Promise<KeyRecord> => {
  const key = (await keys.list()).find((each) => each.id === id && each.revokedAtMs === null);
  if (key === undefined || !maySeeFleet(viewer, key.usdot)) throw new AppError('unknown-credential');
  return key;
};

/** Audit details of a key's access: its limits only. */
const toDetails = (usdot: string, access: KeyAccess): Record<string, unknown> => ({
  usdot,
  ...Object.fromEntries(Object.entries(access).filter(([, value]) => value !== null)),
});

/** @throws AppError 'unknown-fleet', InvalidRecordError, UnknownCarrierError */
export const createApiKey = async (context: KeyContext, input: NewKey): Promise<IssuedKey> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  const service = await context.openServiceAdmin();
  const createdBy = toCreatorName(context.viewer);
  return changeAsManager(context, 'api-key.create', [usdot], async (tx, record, { id: madeById }) => {
    const issued = await service.keys.create({ ...input, usdot, createdBy, madeById }, tx);
    await record(input.name, { ...toDetails(usdot, input.access), id: issued.id });
    return issued;
  });
};

/** @throws AppError 'unknown-credential', InvalidRecordError */
export const changeApiKey = async (context: KeyContext, id: string, change: KeyChange): Promise<void> => {
  const service = await context.openServiceAdmin();
  const { usdot } = await requireApiKey(service, context.viewer, id);
  await changeAsManager(context, 'api-key.change', [usdot], async (tx, record) => {
    if (!(await service.keys.change(id, change, tx))) throw new AppError('unknown-credential');
    await record(change.name, { ...toDetails(usdot, change.access), id });
  });
};

/** @throws AppError 'unknown-credential' */
export const rotateApiKey = async (
  context: KeyContext,
  id: string,
  overlapMs: number,
): Promise<IssuedKey> => {
  const service = await context.openServiceAdmin();
  const { usdot, name } = await requireApiKey(service, context.viewer, id);
  return changeAsManager(context, 'api-key.rotate', [usdot], async (tx, record, { id: madeById }) => {
    const issued = await service.keys.rotate(id, overlapMs, madeById, tx);
    if (issued === null) throw new AppError('unknown-credential');
    await record(name, { usdot, id, overlapMs });
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeApiKey = async (context: KeyContext, id: string): Promise<void> => {
  const service = await context.openServiceAdmin();
  const { usdot, name } = await requireApiKey(service, context.viewer, id);
  await changeAsManager(context, 'api-key.revoke', [usdot], async (tx, record) => {
    if (!(await service.keys.revoke(id, tx))) throw new AppError('unknown-credential');
    await record(name, { usdot, id });
  });
};

/** The creator's user id; null if unknown. */
export interface Made {
  madeById: string | null;
}
export type Creator = Made & { createdBy: string };

export type KeyRecord = ApiKey & Made & { replaced: (NonNullable<ApiKey['replaced']> & Made) | null };

/** The keys and carriers of the embedded tracking service, for managers; lib/devices/server/service-admin.ts has the rest. */
export interface KeyAdmin {
  carriers: { list: () => Promise<ServedCarrier[]> };
  /** API keys, without the service's own; the oldest first. */
  keys: {
    list: (usdot?: string, tx?: Executor) => Promise<KeyRecord[]>;
    create: (key: NewKey & Creator, tx: Executor) => Promise<IssuedKey>;
    /** False if there is no such key in use; as for the following. */
    change: (id: string, change: KeyChange, tx: Executor) => Promise<boolean>;
    /** New secrets; the previous ones stay valid for `overlapMs`. Null if there is no such key in use. */
    rotate: (
      id: string,
      overlapMs: number,
      madeById: string | null,
      tx: Executor,
    ) => Promise<IssuedKey | null>;
    /** Ends the previous pair of secrets, and keeps the key. */
    endReplaced: (id: string, tx: Executor) => Promise<boolean>;
    revoke: (id: string, tx: Executor) => Promise<boolean>;
  };
  inTransaction: <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;
}
