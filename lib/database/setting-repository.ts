import 'server-only';
import { eq, sql } from 'drizzle-orm';
import type { Executor } from './database';
import { settings } from './tables';

/** A setting's value, author and time. Each setting parses its own value. */
export interface SettingRecord {
  value: unknown;
  changedBy: string;
  changedAtMs: number;
}

/** The lock of read-modify-write transactions, so that concurrent changes do not overwrite each other. */
const SETTINGS_LOCK = 0x53455454;

/** Blocks other changes of settings until the end of the transaction. */
export const lockSettings = async (tx: Executor): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SETTINGS_LOCK})`);
};

export const readSetting = async (tx: Executor, name: string): Promise<SettingRecord | null> => {
  const [row] = await tx.select().from(settings).where(eq(settings.name, name));
  if (row === undefined) return null;
  return { value: row.value, changedBy: row.changedBy, changedAtMs: row.changedAt.getTime() };
};

export const writeSetting = async (
  tx: Executor,
  name: string,
  { value, changedBy, changedAtMs }: SettingRecord,
): Promise<void> => {
  const row = { value, changedBy, changedAt: new Date(changedAtMs) };
  await tx
    .insert(settings)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: settings.name, set: row });
};

/** Writes a setting that has no value yet, and returns the one that counts: of two servers, the first one's. */
export const insertSetting = async (
  tx: Executor,
  name: string,
  { value, changedBy, changedAtMs }: SettingRecord,
): Promise<SettingRecord> => {
  await tx
    .insert(settings)
    .values({ name, value, changedBy, changedAt: new Date(changedAtMs) })
    .onConflictDoNothing();
  return (await readSetting(tx, name))!;
};

/** Removes a setting; the environment determines it again. */
export const deleteSetting = async (tx: Executor, name: string): Promise<void> => {
  await tx.delete(settings).where(eq(settings.name, name));
};
