import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Audit } from '@/lib/audit/audit';
import { toKey } from '@/lib/base/sealed';
import type { Database, Executor } from '@/lib/database/database';
import { loadMails, loads } from '@/lib/loads/server/tables';

/** 160 bits. */
const SIGNATURE_BYTES = 20;
const TOKEN = /^([1-9a-z][\da-z]{0,9})[.]([\w-]{27})$/;

const sign = (secret: string, loadId: number, address: string): string =>
  createHmac('sha256', toKey(secret, 'linehaul customer mails'))
    .update(`${loadId} ${address}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url');

/** The path at which the reader of an address ends the mails about a load: it is signed, not stored, and names neither. */
export const toEndPath = (secret: string, loadId: number, address: string): string =>
  `/u/${loadId.toString(36)}.${sign(secret, loadId, address)}`;

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** What ending mails needs of its server. */
export interface EndContext {
  database: { open: () => Promise<Pick<Database, 'orm'>> };
  clock: { nowMs: () => number };
  audit: Audit;
  client: { address: string };
}

/** The load and the address of a token; `isLocked`: until the transaction ends. Null: it is none, or the load is gone. */
const findMailed = async (tx: Executor, secret: string, token: string, isLocked: boolean) => {
  const [, id = '', signature = ''] = TOKEN.exec(token) ?? [];
  const loadId = Number.parseInt(id, 36);
  if (!Number.isSafeInteger(loadId)) return null;
  const reading = tx
    .select({ addresses: loadMails.addresses })
    .from(loadMails)
    .where(eq(loadMails.loadId, loadId));
  const [stored] = await (isLocked ? reading.for('update') : reading);
  const mailed = stored?.addresses.find(({ address }) => isSame(sign(secret, loadId, address), signature));
  if (!stored || !mailed) return null;
  const [load] = await tx
    .select({ reference: loads.reference, usdot: loads.usdot })
    .from(loads)
    .where(eq(loads.id, loadId));
  return load ? { ...stored, ...load, loadId, mailed } : null;
};

/** Whether a token is of an address that gets mails about a load, or got them. */
export const isMailed = async (
  { database }: Pick<EndContext, 'database'>,
  secret: string,
  token: string,
): Promise<boolean> => {
  const { orm } = await database.open();
  return (await findMailed(orm, secret, token, false)) !== null;
};

/** Ends the mails about a load to the address of a token; false: it is none, or the load is gone. */
export const endMails = async (
  { database, clock, audit, client }: EndContext,
  secret: string,
  token: string,
): Promise<boolean> => {
  const { orm } = await database.open();
  return orm.transaction(async (tx) => {
    const found = await findMailed(tx, secret, token, true);
    if (found === null) return false;
    const { loadId, mailed, usdot, reference } = found;
    if (mailed.endedMs !== null) return true;
    const endedMs = clock.nowMs();
    const addresses = found.addresses.map((each) => (each === mailed ? { ...each, endedMs } : each));
    await tx.update(loadMails).set({ addresses }).where(eq(loadMails.loadId, loadId));
    const details = { usdot, mail: mailed.address };
    await audit.record(
      { by: null, action: 'load.end-mails', subject: reference, address: client.address, details },
      tx,
    );
    return true;
  });
};
