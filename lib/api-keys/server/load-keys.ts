import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { requireUsdot } from '@/lib/access/input';
import type { ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import { createKeyLimit, type LimitStore } from '@/lib/base/rate-limits';
import { MINUTE_MS } from '@/lib/base/time';
import { maySeeFleet, type Client, type Viewer } from '@/lib/base/viewer';
import type { Executor } from '@/lib/database/database';
import { toOwnedItem, type OwnedItem } from '@/lib/users/schema';
import { changeAsManager } from '@/lib/users/server/user-scope';
import {
  LOAD_KEY_REQUESTS_PER_MINUTE,
  type IssuedLoadKey,
  type LoadKey,
  type LoadKeys,
  type NewLoadKey,
} from '../schema';
import { requireInScope, toCreatorName, withHiddenCreators } from './api-keys';
import { loadKeys } from './tables';

/** Its form is that of the service's credentials, which no log line keeps. */
const KEY_START = 'lh_load_';
const KEY_BYTES = 32;
const PREFIX_CHARACTERS = KEY_START.length + 4;
/** The longest key that is looked up. */
const MAX_CHARACTERS = 100;
/** The last use is stored about so often. */
const USED_WITHIN_MS = MINUTE_MS;

const toHash = (key: string): string => createHash('sha256').update(key).digest('hex');

const toRecord = ({
  keyHash: _hash,
  createdAt,
  usedAt,
  expiresAt,
  revokedAt,
  madeBy,
  madeById: _id,
  ...key
}: typeof loadKeys.$inferSelect): LoadKey => ({
  ...key,
  createdBy: madeBy,
  createdAtMs: createdAt.getTime(),
  lastUsedAtMs: usedAt?.getTime() ?? null,
  expiresAtMs: expiresAt?.getTime() ?? null,
  revokedAtMs: revokedAt?.getTime() ?? null,
});

/** The keys for loads of the fleets in the viewer's scope, newest first. */
export const listLoadKeys = async (context: ActionContext): Promise<LoadKeys> => {
  const { database, viewer, clock } = context;
  const rows = await (await database.open()).orm.select().from(loadKeys).orderBy(desc(loadKeys.createdAt));
  const keys = rows.filter(({ usdot }) => maySeeFleet(viewer, usdot)).map(toRecord);
  return { keys: await withHiddenCreators(context, keys), nowMs: clock.nowMs() };
};

/** Makes a key for the loads of a fleet; the key is returned only once. @throws AppError 'unknown-fleet', 'bad-input' */
export const createLoadKey = async (
  context: ActionContext & { hasFleet: (usdot: string) => boolean },
  { name, expiresAtMs, ...input }: NewLoadKey,
): Promise<IssuedLoadKey> => {
  const usdot = requireUsdot(input.usdot);
  requireInScope(context.viewer, usdot);
  if (!context.hasFleet(usdot)) throw new AppError('unknown-fleet');
  const nowMs = context.clock.nowMs();
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    const message = 'A key expires in the future.';
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'expiresAtMs', message }] });
  }
  const key = `${KEY_START}${randomBytes(KEY_BYTES).toString('base64url')}`;
  const id = crypto.randomUUID();
  await changeAsManager(context, 'load-key.create', [usdot], async (tx, record, manager) => {
    await tx.insert(loadKeys).values({
      ...{ id, usdot, name, keyHash: toHash(key), prefix: key.slice(0, PREFIX_CHARACTERS) },
      ...{ madeBy: toCreatorName(manager), madeById: manager.kind === 'user' ? manager.id : null },
      createdAt: new Date(nowMs),
      expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    });
    await record(name, { usdot, id, ...(expiresAtMs !== null && { expiresAtMs }) });
  });
  return { id, key };
};

/** Ends a key in a transaction; null if there is none in use. */
export const endLoadKey = async (
  tx: Executor,
  id: string,
  nowMs: number,
): Promise<{ usdot: string; name: string } | null> => {
  const [ended] = await tx
    .update(loadKeys)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(loadKeys.id, id), isNull(loadKeys.revokedAt)))
    .returning({ usdot: loadKeys.usdot, name: loadKeys.name });
  return ended ?? null;
};

/** Ends a key at once. @throws AppError 'unknown-credential' */
export const revokeLoadKey = async (context: ActionContext, id: string): Promise<void> => {
  const { database, viewer, clock } = context;
  const { orm } = await database.open();
  const [key] = await orm.select({ usdot: loadKeys.usdot }).from(loadKeys).where(eq(loadKeys.id, id));
  if (key === undefined || !maySeeFleet(viewer, key.usdot)) throw new AppError('unknown-credential');
  await changeAsManager(context, 'load-key.revoke', [key.usdot], async (tx, record) => {
    const ended = await endLoadKey(tx, id, clock.nowMs());
    if (ended === null) throw new AppError('unknown-credential');
    await record(ended.name, { usdot: ended.usdot, id });
  });
};

/** The keys in use, as items that end with the right of their maker. */
export const listLoadKeyItems = async (tx: Executor, nowMs: number): Promise<OwnedItem[]> =>
  (await tx.select().from(loadKeys).where(isNull(loadKeys.revokedAt)))
    .filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > nowMs)
    .map(({ usdot, ...key }) => toOwnedItem('load-key', { ...key, usdots: [usdot] }));

const readBearer = (headers: Headers): string | null => {
  // Names of schemes have no case (RFC 9110, 11.1).
  const key = /^Bearer +([\w-]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  return key !== undefined && key.length <= MAX_CHARACTERS && key.startsWith(KEY_START) ? key : null;
};

/** Finds the program of a request by its key for loads, which a bearer token is. */
export class LoadKeyCheck {
  readonly #options: Pick<ActionContext, 'database' | 'clock'>;
  readonly #limit: ReturnType<typeof createKeyLimit>;

  constructor(options: Pick<ActionContext, 'database' | 'clock'>, limits: LimitStore | null) {
    this.#options = options;
    this.#limit = createKeyLimit(
      { points: LOAD_KEY_REQUESTS_PER_MINUTE, durationS: MINUTE_MS / 1000 },
      limits && { store: limits, name: 'load-keys' },
    );
  }

  /** The program as a viewer of its one fleet. @throws AppError 'load-key-needed', 'too-many-requests', database errors */
  async require({ headers }: Pick<Client, 'headers'>): Promise<Viewer> {
    const { database, clock } = this.#options;
    const key = readBearer(headers);
    if (key === null) throw new AppError('load-key-needed');
    const { orm } = await database.open();
    const [row] = await orm
      .select()
      .from(loadKeys)
      .where(and(eq(loadKeys.keyHash, toHash(key)), isNull(loadKeys.revokedAt)));
    const nowMs = clock.nowMs();
    if (row === undefined || (row.expiresAt?.getTime() ?? Infinity) <= nowMs)
      throw new AppError('load-key-needed');
    const retryAfterS = await this.#limit.take(row.id);
    if (retryAfterS > 0) {
      const detail = `This key may make ${LOAD_KEY_REQUESTS_PER_MINUTE} requests a minute.`;
      throw new AppError('too-many-requests', { detail, retryAfterS });
    }
    if (nowMs - (row.usedAt?.getTime() ?? 0) > USED_WITHIN_MS)
      await orm
        .update(loadKeys)
        .set({ usedAt: new Date(nowMs) })
        .where(eq(loadKeys.id, row.id));
    return {
      ...{ kind: 'program', id: row.id, name: `API key ${row.name}`, email: null },
      ...{ role: 'dispatcher', usdots: [row.usdot], tags: null },
    };
  }
}
