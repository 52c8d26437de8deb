import 'server-only';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { Viewer } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { unitTags } from '@/lib/database/tables';

type Limit = Pick<Viewer, 'tags'>;

/** An alias, because a query of the tags has the table too. */
const seenTags = alias(unitTags, 'seen_tags');

const isOneOf = (tag: PgColumn, tags: readonly string[]): SQL =>
  sql`${tag} = ANY(${sql.param(tags)}::text[])`;

/** The keys of the units with one of some tags, as they are now: a change of tags applies to the next request. */
export const readTaggedUnits = async (
  orm: Executor,
  usdot: string,
  tags: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await orm
    .selectDistinct({ unit: unitTags.unit })
    .from(unitTags)
    .where(and(eq(unitTags.usdot, usdot), isOneOf(unitTags.tag, tags)));
  return new Set(rows.map(({ unit }) => unit));
};

/** The keys of the units of a fleet that a viewer sees; null: all. */
export const readSeenUnits = async (
  { open }: { open: () => Promise<{ orm: Executor }> },
  { tags }: Limit,
  usdot: string,
): Promise<ReadonlySet<string> | null> =>
  tags === null ? null : readTaggedUnits((await open()).orm, usdot, tags);

/** As a condition of a query, whether a viewer sees the unit of a column; undefined: all units. */
export const isSeenUnit = (
  { tags }: Limit,
  usdot: PgColumn | string,
  unit: PgColumn | SQL,
): SQL | undefined =>
  tags === null
    ? undefined
    : sql`EXISTS (SELECT 1 FROM ${unitTags} AS seen_tags
        WHERE ${seenTags.usdot} = ${usdot} AND ${seenTags.unit} = ${unit} AND ${isOneOf(seenTags.tag, tags)})`;

/** Requires that a viewer sees a unit of a fleet. @throws AppError 'unknown-unit' */
export const requireSeenUnit = async (
  database: { open: () => Promise<{ orm: Executor }> },
  viewer: Limit,
  usdot: string,
  unit: string,
): Promise<void> => {
  const seen = await readSeenUnits(database, viewer, usdot);
  if (seen !== null && !seen.has(unit)) throw new AppError('unknown-unit');
};
