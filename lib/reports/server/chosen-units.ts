import 'server-only';
import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/lib/database/database';
import { unitTags } from '@/lib/database/tables';
import type { ChosenUnits } from '../chosen';

/** The keys of the chosen units; null: all. */
export const readChosenUnits = async (
  orm: Executor,
  usdot: string,
  { unit = null, tag = null }: Partial<ChosenUnits>,
): Promise<ReadonlySet<string> | null> => {
  if (tag === null) return unit === null ? null : new Set([unit]);
  const rows = await orm
    .select({ unit: unitTags.unit })
    .from(unitTags)
    .where(
      and(
        eq(unitTags.usdot, usdot),
        eq(unitTags.tag, tag),
        unit === null ? undefined : eq(unitTags.unit, unit),
      ),
    );
  return new Set(rows.map((row) => row.unit));
};
