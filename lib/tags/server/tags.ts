import 'server-only';
import { and, asc, count, countDistinct, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { unitTags } from '@/lib/database/tables';
import type { UnitTag } from '@/lib/view/marks';
import { MOST_UNITS, type TagChange } from '../schema';
import { tagSchema } from '../tag';
import { isSeenUnit } from '@/lib/access/unit-limit';

/** Tags of a fleet: every browser that shows it reads all of them. */
const MAX_TAGS = 200;
const MAX_MEMBERS = 300_000;
/** More units are in the audit log by their number alone. */
const MOST_NAMED = 20;
/** Orders the changes of tags in the installation, so that two of them do not add up beyond a limit. */
const TAGS_LOCK = 0x54414753;

const unitsSchema = z.array(z.string().min(1).max(140)).min(1).max(MOST_UNITS);

export const tagChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('add'), tag: tagSchema, units: unitsSchema }),
  z.strictObject({ change: z.literal('remove'), tag: tagSchema, units: unitsSchema }),
  z.strictObject({ change: z.literal('rename'), tag: tagSchema, to: tagSchema }),
  z.strictObject({ change: z.literal('delete'), tag: tagSchema }),
]);
/** The size of a change with the most units and the longest keys. */
export const MAX_CHANGE_BYTES = 4 * 1024 * 1024;

/** The tags of a fleet by name, each with its units that a viewer sees. */
export const listTags = (orm: Executor, usdot: string, viewer: Pick<Viewer, 'tags'>): Promise<UnitTag[]> =>
  orm
    .select({
      tag: unitTags.tag,
      units: sql<string[]>`array_agg(${unitTags.unit} order by ${unitTags.unit})`,
    })
    .from(unitTags)
    .where(and(eq(unitTags.usdot, usdot), isSeenUnit(viewer, usdot, unitTags.unit)))
    .groupBy(unitTags.tag)
    .orderBy(asc(unitTags.tag));

const isTag = (usdot: string, tag: string) => and(eq(unitTags.usdot, usdot), eq(unitTags.tag, tag));

const countUnits = async (tx: Executor, usdot: string, tag: string): Promise<number> => {
  const [found] = await tx.select({ units: count() }).from(unitTags).where(isTag(usdot, tag));
  return found!.units;
};

/** Returns the units that did not have the tag. */
const addUnits = async (
  tx: Executor,
  usdot: string,
  tag: string,
  units: readonly string[],
): Promise<string[]> => {
  // Raw SQL: Drizzle has no INSERT from unnest().
  const { rows } = await tx.execute<{ unit: string }>(sql`INSERT INTO linehaul.unit_tags (usdot, tag, unit)
    SELECT ${usdot}, ${tag}, unit FROM unnest(${sql.param(units)}::text[]) AS added (unit)
    ON CONFLICT DO NOTHING RETURNING unit`);
  const [held] = await tx
    .select({ tags: countDistinct(unitTags.tag), members: count() })
    .from(unitTags)
    .where(eq(unitTags.usdot, usdot));
  if (held!.tags > MAX_TAGS || held!.members > MAX_MEMBERS) throw new AppError('too-many-tags');
  return rows.map(({ unit }) => unit);
};

/** Returns the units that had the tag. */
const removeUnits = async (
  tx: Executor,
  usdot: string,
  tag: string,
  units: readonly string[],
): Promise<string[]> => {
  const removed = await tx
    .delete(unitTags)
    .where(and(isTag(usdot, tag), sql`${unitTags.unit} = ANY(${sql.param(units)}::text[])`))
    .returning({ unit: unitTags.unit });
  return removed.map(({ unit }) => unit);
};

const renameTag = async (tx: Executor, usdot: string, tag: string, to: string): Promise<void> => {
  if ((await countUnits(tx, usdot, to)) > 0) throw new AppError('tag-taken');
  await tx.update(unitTags).set({ tag: to }).where(isTag(usdot, tag));
};

const toNamed = (units: readonly string[]): readonly string[] | number =>
  units.length > MOST_NAMED ? units.length : units;

/** Makes a change, and returns its details for the audit log. */
const applyChange = async (
  tx: Executor,
  usdot: string,
  input: TagChange,
): Promise<Record<string, unknown>> => {
  const { tag } = input;
  if (input.change === 'add') return { added: toNamed(await addUnits(tx, usdot, tag, input.units)) };
  const held = await countUnits(tx, usdot, tag);
  if (held === 0) throw new AppError('unknown-tag');
  if (input.change === 'remove') return { removed: toNamed(await removeUnits(tx, usdot, tag, input.units)) };
  if (input.change === 'rename') {
    await renameTag(tx, usdot, tag, input.to);
    return { tag: { before: tag, after: input.to } };
  }
  await tx.delete(unitTags).where(isTag(usdot, tag));
  return { removed: held };
};

/** Changes a tag of a fleet. @throws AppError 'unknown-tag', 'tag-taken', 'too-many-tags' */
export const changeTags = async (
  context: ActionContext & { watch?: { reload: (usdot: string) => void } },
  usdot: string,
  input: TagChange,
): Promise<void> => {
  await change(context, 'tag.change', async (tx, record) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${TAGS_LOCK})`);
    await record(input.tag, { usdot, ...(await applyChange(tx, usdot, input)) });
  });
  context.watch?.reload(usdot);
};
