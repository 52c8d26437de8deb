import 'server-only';
import { and, asc, count, countDistinct, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { unitTags } from '@/lib/database/tables';
import type { UnitTag } from '@/lib/view/marks';
import type { FreeTags } from '@/lib/view/free';
import { toSavedSearch } from '@/lib/view/saved-view';
import { parseViewState } from '@/lib/view/view-state';
import { MOST_FREE_TAGS, MOST_UNITS, type TagChange } from '../schema';
import { tagSchema } from '../tag';
import { requireKnownTags } from './known-tags';
import { freeTags } from './tables';
import { isSeenUnit } from '@/lib/access/unit-limit';

/** Tags of a fleet: every browser that shows it reads all of them. */
const MAX_TAGS = 200;
const MAX_MEMBERS = 300_000;
/** More units are in the audit log by their number alone. */
const MOST_NAMED = 20;

const unitsSchema = z.array(z.string().min(1).max(140)).min(1).max(MOST_UNITS);

const freeSchema = z.array(tagSchema).max(MOST_FREE_TAGS, `Choose at most ${MOST_FREE_TAGS} tags.`);

export const tagChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('add'), tag: tagSchema, units: unitsSchema }),
  z.strictObject({ change: z.literal('remove'), tag: tagSchema, units: unitsSchema }),
  z.strictObject({ change: z.literal('rename'), tag: tagSchema, to: tagSchema }),
  z.strictObject({ change: z.literal('delete'), tag: tagSchema }),
  z
    .strictObject({ change: z.literal('free'), has: freeSchema, not: freeSchema })
    .refine(({ has, not }) => !has.some((tag) => not.includes(tag)), {
      path: ['not'],
      message: 'A tag cannot be in both lists.',
    }),
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

/**
 * The tags that say which units are free, of which a viewer knows those of units that they see; null where a fleet has
 * none, and for a viewer to whom no unit can be free by them.
 */
export const readFreeTags = async (
  orm: Executor,
  usdot: string,
  viewer: Pick<Viewer, 'tags'>,
  seen: readonly UnitTag[],
): Promise<FreeTags | null> => {
  const rows = await orm.select().from(freeTags).where(eq(freeTags.usdot, usdot)).orderBy(asc(freeTags.tag));
  const isKnown = ({ tag }: { tag: string }): boolean =>
    viewer.tags === null || seen.some((each) => each.tag === tag);
  const of = (isNeeded: boolean): string[] =>
    rows.filter((row) => row.isNeeded === isNeeded && isKnown(row)).map(({ tag }) => tag);
  const has = of(true);
  const isUnknowable = has.length === 0 && rows.some(({ isNeeded }) => isNeeded);
  return rows.length === 0 || isUnknowable ? null : { has, not: of(false) };
};

const isFreeTag = (usdot: string, tag: string) => and(eq(freeTags.usdot, usdot), eq(freeTags.tag, tag));

/** Replaces the tags that say which units are free; empty lists: none do. */
const changeFreeTags = async (tx: Executor, usdot: string, { has, not }: FreeTags): Promise<void> => {
  await tx.delete(freeTags).where(eq(freeTags.usdot, usdot));
  const rows = [
    ...[...new Set(has)].map((tag) => ({ usdot, tag, isNeeded: true })),
    ...[...new Set(not)].map((tag) => ({ usdot, tag, isNeeded: false })),
  ];
  if (rows.length > 0) await tx.insert(freeTags).values(rows);
};

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

/** What else names a tag follows it, and loses its new name where it has that already. */
const RENAME_TAG = [
  (usdot: string, tag: string, to: string) => sql`UPDATE linehaul.alert_rules
    SET units = jsonb_set(units, '{tags}', (units->'tags') - ${tag}::text - ${to}::text || to_jsonb(${to}::text))
    WHERE usdot = ${usdot} AND units->>'type' = 'tags' AND units->'tags' ? ${tag}`,
  (usdot: string, tag: string, to: string) =>
    sql`UPDATE linehaul.report_mails SET tag = ${to} WHERE usdot = ${usdot} AND tag = ${tag}`,
];

const renameInViews = async (tx: Executor, usdot: string, tag: string, to: string): Promise<void> => {
  const { rows } = await tx.execute<{ id: string; search: string }>(
    sql`SELECT id, search FROM linehaul.saved_views WHERE usdot = ${usdot} AND search LIKE '%tag=%'`,
  );
  for (const { id, search } of rows) {
    const view = parseViewState(search);
    if (!view.tags.includes(tag)) continue;
    const tags = [...new Set(view.tags.map((each) => (each === tag ? to : each)))];
    const renamed = toSavedSearch({ ...view, tags });
    await tx.execute(sql`UPDATE linehaul.saved_views SET search = ${renamed} WHERE id = ${id}`);
  }
};

const hasNeeded = async (tx: Executor, usdot: string): Promise<boolean> => {
  const isNeeded = and(eq(freeTags.usdot, usdot), eq(freeTags.isNeeded, true));
  return (await tx.select().from(freeTags).where(isNeeded).limit(1)).length > 0;
};

/** Makes a change; where it takes the last tag that a free unit needs, which all units would meet, none are free any more. */
const keepFree = async (tx: Executor, usdot: string, work: () => Promise<void>): Promise<{ free?: null }> => {
  const wasNeeded = await hasNeeded(tx, usdot);
  await work();
  if (!wasNeeded || (await hasNeeded(tx, usdot))) return {};
  await tx.delete(freeTags).where(eq(freeTags.usdot, usdot));
  return { free: null };
};

const deleteTag = async (tx: Executor, usdot: string, tag: string): Promise<void> => {
  await tx.delete(unitTags).where(isTag(usdot, tag));
  await tx.delete(freeTags).where(isFreeTag(usdot, tag));
  await tx.execute(
    sql`UPDATE linehaul.report_mails SET is_ending = true WHERE usdot = ${usdot} AND tag = ${tag}`,
  );
};

const renameTag = async (tx: Executor, usdot: string, tag: string, to: string): Promise<void> => {
  if ((await countUnits(tx, usdot, to)) > 0) throw new AppError('tag-taken');
  await tx.update(unitTags).set({ tag: to }).where(isTag(usdot, tag));
  // One of a tag that has no units any more may bear the name.
  await tx.delete(freeTags).where(isFreeTag(usdot, to));
  await tx.update(freeTags).set({ tag: to }).where(isFreeTag(usdot, tag));
  for (const rename of RENAME_TAG) await tx.execute(rename(usdot, tag, to));
  await renameInViews(tx, usdot, tag, to);
};

const toNamed = (units: readonly string[]): readonly string[] | number =>
  units.length > MOST_NAMED ? units.length : units;

/** Makes a change, and returns its details for the audit log. */
const applyChange = async (
  tx: Executor,
  usdot: string,
  viewer: Viewer,
  input: TagChange,
): Promise<Record<string, unknown>> => {
  if (input.change === 'free') {
    const { has, not } = input;
    const rows = await tx.select({ tag: freeTags.tag }).from(freeTags).where(eq(freeTags.usdot, usdot));
    const before = rows.map(({ tag }) => tag);
    await requireKnownTags(tx, [usdot], viewer, { field: 'has', tags: has, before });
    await requireKnownTags(tx, [usdot], viewer, { field: 'not', tags: not, before });
    await changeFreeTags(tx, usdot, { has, not });
    return { has, not };
  }
  const { tag } = input;
  if (input.change === 'add') return { added: toNamed(await addUnits(tx, usdot, tag, input.units)) };
  const held = await countUnits(tx, usdot, tag);
  if (held === 0) throw new AppError('unknown-tag');
  if (input.change === 'remove') return { removed: toNamed(await removeUnits(tx, usdot, tag, input.units)) };
  if (input.change === 'rename') {
    const ended = await keepFree(tx, usdot, () => renameTag(tx, usdot, tag, input.to));
    return { tag: { before: tag, after: input.to }, ...ended };
  }
  return { removed: held, ...(await keepFree(tx, usdot, () => deleteTag(tx, usdot, tag))) };
};

/** Changes a tag of a fleet. @throws AppError 'unknown-tag', 'tag-taken', 'too-many-tags' */
export const changeTags = async (
  context: ActionContext & { watch?: { reload: (usdot: string) => void } },
  usdot: string,
  input: TagChange,
): Promise<void> => {
  await change(context, 'tag.change', async (tx, record) => {
    await lockFleet(tx, usdot);
    await record(input.change === 'free' ? 'free trucks' : input.tag, {
      usdot,
      ...(await applyChange(tx, usdot, context.viewer, input)),
    });
  });
  context.watch?.reload(usdot);
};
