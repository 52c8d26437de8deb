import 'server-only';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { change, type ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import { toKey } from '@/lib/base/sealed';
import type { Load, LoadStop } from '@/lib/loads/load';
import { readLoads } from '@/lib/loads/server/loads';
import { loads } from '@/lib/loads/server/tables';
import { toNumber } from '@/lib/proof/number';
import type { PickupCode, PickupCodeAnswer } from '../schema';
import { pickupCodes } from './tables';

/** A request about the pickup code of a load. */
export type CodeContext = ActionContext & {
  /** Derives codes. */
  shares: { secret: string };
  env: { publicUrl: string | null };
};

const NONCE_BYTES = 16;

/** The code of a load, which only this installation can derive; null: the nonce gives none. */
const deriveCode = (secret: string, loadId: number, nonce: string): string | null =>
  toNumber(
    createHmac('sha256', toKey(secret, 'linehaul pickup codes')).update(`${loadId} ${nonce}`).digest(),
  );

/** The stored form of a code. */
export const hashCode = (code: string): string => createHash('sha256').update(code).digest('hex');

/** The pickup of a load that is still to be left, and its place among the stops; null: all were left or passed, or it ended. */
export const toOpenPickup = ({
  stops,
  judged,
  endedMs,
}: Pick<Load, 'stops' | 'judged' | 'endedMs'>): { stop: LoadStop; position: number } | null => {
  if (endedMs !== null) return null;
  const position = stops.findIndex(({ kind }, i) => {
    const { visit, isPassed } = judged[i]!;
    return kind === 'pickup' && !isPassed && (visit === null || visit.leftMs === null);
  });
  return position < 0 ? null : { stop: stops[position]!, position };
};

/** A load as it is now; null: there is none. */
export const findLoad = async (
  pool: Pick<Pool, 'query'>,
  usdot: string,
  id: number,
  nowMs: number,
): Promise<Load | null> => (await readLoads(pool, usdot, { endedAfterMs: 0, ids: [id], nowMs }))[0] ?? null;

/** @throws AppError 'unknown-load' */
const requireLoad = async (
  { database, clock }: Pick<CodeContext, 'database' | 'clock'>,
  usdot: string,
  id: number,
): Promise<Load> => {
  const load = await findLoad((await database.open()).pool, usdot, id, clock.nowMs());
  if (load === null) throw new AppError('unknown-load');
  return load;
};

const toLink = ({ env }: Pick<CodeContext, 'env'>, code: string): string =>
  `${env.publicUrl ?? ''}/p/${code}`;

/** The pickup code of a load; one that was made with another secret of the installation is not shown. @throws AppError 'unknown-load' */
export const readPickupCode = async (
  context: CodeContext,
  usdot: string,
  loadId: number,
): Promise<PickupCodeAnswer> => {
  const isOpen = toOpenPickup(await requireLoad(context, usdot, loadId)) !== null;
  const { orm } = await context.database.open();
  const [row] = await orm.select().from(pickupCodes).where(eq(pickupCodes.loadId, loadId));
  const code = row ? deriveCode(context.shares.secret, loadId, row.nonce) : null;
  if (!row || code === null || hashCode(code) !== row.codeHash) return { code: null, isOpen };
  const { madeBy, madeMs } = row;
  return { code: { code, link: toLink(context, code), madeBy, madeMs }, isOpen };
};

const drawCode = (secret: string, loadId: number): { nonce: string; code: string } => {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const code = deriveCode(secret, loadId, nonce);
  return code === null ? drawCode(secret, loadId) : { nonce, code };
};

/** Makes the pickup code of a load, which takes the place of the one before. @throws AppError 'unknown-load', 'pickup-over' */
export const makePickupCode = async (
  context: CodeContext,
  usdot: string,
  loadId: number,
): Promise<PickupCode> => {
  const load = await requireLoad(context, usdot, loadId);
  if (toOpenPickup(load) === null) throw new AppError('pickup-over');
  const { code, nonce } = drawCode(context.shares.secret, loadId);
  const madeMs = context.clock.nowMs();
  const madeBy = context.viewer.email ?? context.viewer.name;
  await change(context, 'pickup-code.make', async (tx, record) => {
    const [held] = await tx.select({ id: loads.id }).from(loads).where(eq(loads.id, loadId)).for('key share');
    if (!held) throw new AppError('unknown-load');
    const values = { nonce, codeHash: hashCode(code), madeBy, madeMs };
    await tx
      .insert(pickupCodes)
      .values({ loadId, ...values })
      .onConflictDoUpdate({ target: pickupCodes.loadId, set: values });
    await record(load.reference, { usdot });
  });
  return { code, link: toLink(context, code), madeBy, madeMs };
};

/** Ends the pickup code of a load; without one nothing is done. @throws AppError 'unknown-load' */
export const endPickupCode = async (context: CodeContext, usdot: string, loadId: number): Promise<void> => {
  const load = await requireLoad(context, usdot, loadId);
  await change(context, 'pickup-code.end', async (tx, record) => {
    const ended = await tx
      .delete(pickupCodes)
      .where(eq(pickupCodes.loadId, loadId))
      .returning({ one: sql`1` });
    if (ended.length > 0) await record(load.reference, { usdot });
  });
};
