import 'server-only';
import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/lib/postgres/database';
import { settings } from '@/lib/postgres/schema';

/** What was set, by whom and when. What the value is, whoever set it knows. */
export interface SettingRecord {
  value: unknown;
  changedBy: string;
  changedAtMs: number;
}

/** Taken by whoever reads settings to write them again: two at once would each undo the other's change. */
const SETTINGS_LOCK = 0x53455454;

/** Until the end of the transaction nobody else changes settings. */
export const lockSettings = async (tx: Executor): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${SETTINGS_LOCK})`);
};

/** Null where it was never set. */
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
