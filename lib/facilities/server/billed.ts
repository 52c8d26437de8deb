import 'server-only';
import { sql } from 'drizzle-orm';
import type { TimeRange } from '@/lib/base/time';
import type { Executor } from '@/lib/database/database';

/** What the newest revision of a detention statement bills, Unix ms; `siteId` null: its site was removed. */
export interface BilledStay {
  unit: string;
  siteId: number | null;
  siteName: string;
  customer: string;
  arrivedMs: number;
  amountCents: number;
}

/** The detention statements about stays that began in a range; null where this database has no statements. */
export const readBilled = async (
  orm: Executor,
  usdot: string,
  { fromMs, toMs }: TimeRange,
): Promise<BilledStay[] | null> => {
  const found = await orm.execute<{ hasTable: boolean }>(
    sql`SELECT to_regclass('linehaul.detention_statements') IS NOT NULL AS "hasTable"`,
  );
  if (!found.rows[0]!.hasTable) return null;
  const { rows } = await orm.execute<{ [K in keyof BilledStay]: BilledStay[K] }>(sql`
    SELECT b.unit, s.id AS "siteId", b.site_name AS "siteName", b.customer,
      b.arrived_ms::float8 AS "arrivedMs", b.amount_cents AS "amountCents"
    FROM linehaul.detention_statements b
    LEFT JOIN linehaul.sites s ON s.id = b.site_id AND NOT s.is_of_load
    WHERE b.usdot = ${usdot} AND b.arrived_ms >= ${fromMs} AND b.arrived_ms < ${toMs}`);
  return rows;
};
