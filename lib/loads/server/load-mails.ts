import 'server-only';
import { and, eq } from 'drizzle-orm';
import type { ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { NO_MAILS, type LoadMails, type LoadMailsInput, type MailedAddress } from '../mails';
import { loadMails, loads } from './tables';

type Stored = Omit<typeof loadMails.$inferSelect, 'loadId'>;

/** The mails of a load, locked until the transaction ends; null: none were chosen. */
const lockMails = async (tx: Executor, loadId: number): Promise<Stored | null> => {
  const [stored] = await tx.select().from(loadMails).where(eq(loadMails.loadId, loadId)).for('update');
  return stored ?? null;
};

/** Addresses that mails are wanted for, whether their readers have ended them or not. */
const listAddresses = (stored: Pick<Stored, 'addresses'> | null): string[] =>
  (stored?.addresses ?? []).flatMap(({ address, isListed = true }) => (isListed ? address : []));

const toInput = (stored: Stored | null): LoadMailsInput =>
  stored === null
    ? NO_MAILS
    : { addresses: listAddresses(stored), about: stored.about, language: stored.language };

/** An address that was ended by its reader stays ended, also where it is taken away and given again. */
const mergeAddresses = (
  held: readonly MailedAddress[],
  wanted: readonly string[],
  nowMs: number,
): MailedAddress[] => [
  ...wanted.map((address): MailedAddress => {
    const was = held.find((each) => each.address === address);
    const isKept = was !== undefined && (was.endedMs !== null || was.isListed !== false);
    return isKept ? { ...was, isListed: true } : { address, sinceMs: nowMs, endedMs: null };
  }),
  ...held.flatMap((each) =>
    each.endedMs !== null && !wanted.includes(each.address) ? { ...each, isListed: false } : [],
  ),
];

/** Stores whom a load's mails go to, in the transaction that changes it; null: they are so already. */
export const saveLoadMails = async (
  tx: Executor,
  loadId: number,
  { addresses, about, language }: LoadMailsInput,
  nowMs: number,
): Promise<{ before: LoadMailsInput; after: LoadMailsInput } | null> => {
  const held = await lockMails(tx, loadId);
  const before = toInput(held);
  const after = { addresses: [...new Set(addresses)], about: [...new Set(about)].sort(), language };
  if (JSON.stringify(before) === JSON.stringify(after)) return null;
  const values = {
    ...{ about: after.about, language },
    addresses: mergeAddresses(held?.addresses ?? [], after.addresses, nowMs),
  };
  await tx
    .insert(loadMails)
    .values({ loadId, ...values })
    .onConflictDoUpdate({ target: loadMails.loadId, set: values });
  return { before, after };
};

/** The mails of a load as they are chosen. */
export const readMailsOf = async (
  tx: Executor,
  loadId: number,
): Promise<LoadMailsInput & { ended: string[] }> => {
  const [stored] = await tx.select().from(loadMails).where(eq(loadMails.loadId, loadId));
  return {
    ...toInput(stored ?? null),
    ended: (stored?.addresses ?? []).flatMap(({ address, endedMs, isListed = true }) =>
      endedMs !== null && isListed ? address : [],
    ),
  };
};

/** The mails of a load for its form; of a new one with the id 0. @throws AppError 'unknown-load' */
export const readLoadMails = async (
  {
    database,
    messages,
  }: Pick<ActionContext, 'database'> & { messages: { canMailCustomers: boolean } | null },
  usdot: string,
  id: number,
): Promise<LoadMails> => {
  const canMail = messages?.canMailCustomers ?? false;
  if (id === 0) return { ...NO_MAILS, ended: [], canMail };
  const { orm } = await database.open();
  const [load] = await orm
    .select({ id: loads.id })
    .from(loads)
    .where(and(eq(loads.usdot, usdot), eq(loads.id, id)));
  if (!load) throw new AppError('unknown-load');
  return { ...(await readMailsOf(orm, id)), canMail };
};
