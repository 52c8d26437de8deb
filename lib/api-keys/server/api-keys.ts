import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { z } from 'zod';
import { type Client, type Viewer, maySeeFleet } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import {
  apiKeySchema,
  type ApiKeys,
  type IssuedKey,
  type KeyAccess,
  type KeyChange,
  type NewKey,
  type ServedCarrier,
} from '@/lib/api-keys/schema';
import type { AuditAction } from '@/lib/audit/schema';
import type { Runtime } from '@/lib/access/runtime';
import { requireUsdot } from '@/lib/access/input';
import type { KeyAdmin, KeyRecord } from './key-admin';

/** The viewer and client behind a change to the embedded service. */
export interface Actor {
  runtime: Runtime;
  viewer: Viewer;
  client: Client;
}

/** Writes a viewer's action to the audit log, in the given transaction if there is one. `details` holds no secret. */
export const recordAction = (
  { runtime, viewer, client }: Actor,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown>,
  tx?: Executor,
): Promise<void> =>
  runtime.accounts.audit.record({ by: viewer, action, subject, address: client.address, details }, tx);

/**
 * @throws AppError 'unknown-fleet' for a carrier outside the viewer's scope and for one that does not exist
 * (respond.ts)
 */
export const requireInScope = (viewer: Viewer, usdot: string): void => {
  if (!maySeeFleet(viewer, usdot)) throw new AppError('unknown-fleet');
};

/** The display name of the user who created a key or token. */
export const toCreatorName = ({ email, name }: Viewer): string => email ?? name;

/** The carriers of the service whose fleets are in the viewer's scope. */
export const listServedCarriers = async ({ carriers }: KeyAdmin, viewer: Viewer): Promise<ServedCarrier[]> =>
  (await carriers.list())
    .filter(({ usdot }) => maySeeFleet(viewer, usdot))
    .map(({ usdot, companyName }) => ({ usdot, companyName }));

/** Credentials with each creator outside the viewer's scope hidden. @throws AppError 'accounts-unavailable' */
export const withHiddenCreators = async <Credential extends { createdBy: string | null }>(
  { runtime, viewer }: Omit<Actor, 'client'>,
  credentials: Credential[],
): Promise<Credential[]> => {
  const hideName = await runtime.accounts.hideNames(viewer);
  return credentials.map((each) => ({
    ...each,
    createdBy: each.createdBy === null ? null : hideName(each.createdBy),
  }));
};

/** The API keys in the viewer's scope, newest first. @throws AppError 'not-embedded', 'database-unavailable' */
export const listApiKeys = async ({ runtime, viewer }: Omit<Actor, 'client'>): Promise<ApiKeys> => {
  const service = await runtime.openServiceAdmin();
  const inScope = (await service.keys.list()).filter(({ usdot }) => maySeeFleet(viewer, usdot)).reverse();
  // The parse drops the creators' ids, so they stay on the server.
  const keys = z.array(apiKeySchema).parse(await withHiddenCreators({ runtime, viewer }, inScope));
  return { keys, carriers: await listServedCarriers(service, viewer), nowMs: runtime.clock.nowMs() };
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
export const createApiKey = async (actor: Actor, input: NewKey): Promise<IssuedKey> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(actor.viewer, usdot);
  const service = await actor.runtime.openServiceAdmin();
  const createdBy = toCreatorName(actor.viewer);
  return actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await service.keys.create({ ...input, usdot, createdBy, madeById }, tx);
    const details = { ...toDetails(usdot, input.access), id: issued.id };
    await recordAction(actor, 'api-key.create', input.name, details, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential', InvalidRecordError */
export const changeApiKey = async (actor: Actor, id: string, change: KeyChange): Promise<void> => {
  const service = await actor.runtime.openServiceAdmin();
  const { usdot } = await requireApiKey(service, actor.viewer, id);
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx) => {
    if (!(await service.keys.change(id, change, tx))) throw new AppError('unknown-credential');
    await recordAction(actor, 'api-key.change', change.name, { ...toDetails(usdot, change.access), id }, tx);
  });
};

/** @throws AppError 'unknown-credential' */
export const rotateApiKey = async (actor: Actor, id: string, overlapMs: number): Promise<IssuedKey> => {
  const service = await actor.runtime.openServiceAdmin();
  const { usdot, name } = await requireApiKey(service, actor.viewer, id);
  return actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx, { id: madeById }) => {
    const issued = await service.keys.rotate(id, overlapMs, madeById, tx);
    if (issued === null) throw new AppError('unknown-credential');
    await recordAction(actor, 'api-key.rotate', name, { usdot, id, overlapMs }, tx);
    return issued;
  });
};

/** @throws AppError 'unknown-credential' */
export const revokeApiKey = async (actor: Actor, id: string): Promise<void> => {
  const service = await actor.runtime.openServiceAdmin();
  const { usdot, name } = await requireApiKey(service, actor.viewer, id);
  await actor.runtime.accounts.asManager(actor.viewer, [usdot], async (tx) => {
    if (!(await service.keys.revoke(id, tx))) throw new AppError('unknown-credential');
    await recordAction(actor, 'api-key.revoke', name, { usdot, id }, tx);
  });
};
