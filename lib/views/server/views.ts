import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { and, asc, count, eq, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { isVisible } from '@/lib/base/zod';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Log } from '@/lib/base/log';
import type { Viewer } from '@/lib/base/viewer';
import { AppError, isAppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { fleetReaders, savedViews } from './tables';
import { users } from '@/lib/database/tables';
import { requireKnownTags } from '@/lib/tags/server/known-tags';
import { toSavedSearch } from '@/lib/view/saved-view';
import { parseViewState } from '@/lib/view/view-state';
import { LONGEST_VIEW_NAME, type SavedView, type ViewInput } from '../schema';

const MAX_VIEWS = 100;
/** A page does not wait longer for its view. */
const WAIT_MS = 250;

const fieldSchemas = {
  name: z
    .string()
    .trim()
    .min(1, 'Give a name.')
    .max(LONGEST_VIEW_NAME, `A name has at most ${LONGEST_VIEW_NAME} characters.`)
    .refine(isVisible, 'A name has no line breaks and no invisible characters.'),
  // Only what a view knows is kept of an address.
  search: z
    .string()
    .max(2000)
    .transform((search) => toSavedSearch(parseViewState(search))),
  isShared: z.boolean(),
};
export const viewInputSchema = z.strictObject({ ...fieldSchemas, isStart: z.boolean() });
export const viewChangeSchema = z.strictObject(fieldSchemas).partial();
export const startInputSchema = z.strictObject({ id: z.string().max(60).nullable() });

type ViewChange = z.infer<typeof viewChangeSchema>;

/** Whose views they are: a user, or everyone at the demo. */
const toReader = ({ id }: Viewer): string => id ?? 'demo';

const { id, name, search, isShared } = savedViews;

/** The views of a fleet that a reader may open. */
const isOpen = (usdot: string, reader: string) =>
  and(eq(savedViews.usdot, usdot), or(eq(savedViews.reader, reader), isShared));

/** A reader's own and the shared views of a fleet by name, and which one the start page shows. */
export const listViews = async (
  orm: Executor,
  usdot: string,
  viewer: Viewer,
): Promise<{ views: SavedView[]; startId: string | null }> => {
  const reader = toReader(viewer);
  const views = await orm
    .select({
      id,
      name,
      search,
      isShared,
      isOwn: sql<boolean>`${savedViews.reader} = ${reader}`,
      by: users.name,
    })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.reader))
    .where(isOpen(usdot, reader))
    .orderBy(asc(sql`lower(${name})`), asc(id));
  const [chosen] = await orm
    .select({ startId: fleetReaders.startViewId })
    .from(fleetReaders)
    .where(and(eq(fleetReaders.usdot, usdot), eq(fleetReaders.reader, reader)));
  return { views, startId: views.find((view) => view.id === chosen?.startId)?.id ?? null };
};

const requireFreeName = async (
  tx: Executor,
  usdot: string,
  reader: string,
  wanted: string,
  ownId: string,
): Promise<void> => {
  const [taken] = await tx
    .select({ id })
    .from(savedViews)
    .where(and(eq(savedViews.usdot, usdot), eq(savedViews.reader, reader), eq(name, wanted), ne(id, ownId)));
  if (taken !== undefined) throw new AppError('view-name-taken');
};

const writeStart = async (
  tx: Executor,
  usdot: string,
  reader: string,
  startViewId: string | null,
): Promise<void> => {
  await tx
    .insert(fleetReaders)
    .values({ reader, usdot, startViewId })
    .onConflictDoUpdate({ target: [fleetReaders.reader, fleetReaders.usdot], set: { startViewId } });
};

/** @throws AppError 'bad-input' for a tag that neither a truck nor the view before has */
const requireTagsOf = (
  tx: Executor,
  usdot: string,
  viewer: Viewer,
  after: string,
  before = '',
): Promise<void> =>
  requireKnownTags(tx, [usdot], viewer, {
    field: 'search',
    tags: parseViewState(after).tags,
    before: parseViewState(before).tags,
  });

/** Saves a view under a name. @throws AppError 'bad-input', 'view-name-taken', 'too-many-views' */
export const saveView = (
  context: ActionContext,
  usdot: string,
  { isStart, ...view }: ViewInput,
): Promise<{ id: string }> =>
  change(context, 'view.share', async (tx, record) => {
    const reader = toReader(context.viewer);
    const viewId = crypto.randomUUID();
    await lockFleet(tx, usdot);
    await requireTagsOf(tx, usdot, context.viewer, view.search);
    await requireFreeName(tx, usdot, reader, view.name, viewId);
    const [held] = await tx
      .select({ views: count() })
      .from(savedViews)
      .where(and(eq(savedViews.usdot, usdot), eq(savedViews.reader, reader)));
    if (held!.views >= MAX_VIEWS) throw new AppError('too-many-views');
    const createdAt = new Date(context.clock.nowMs());
    await tx.insert(savedViews).values({ id: viewId, usdot, reader, ...view, createdAt });
    if (isStart) await writeStart(tx, usdot, reader, viewId);
    if (view.isShared) await record(view.name, { usdot, view: view.search });
    return { id: viewId };
  });

const requireView = async (tx: Executor, usdot: string, reader: string, viewId: string) => {
  const [view] = await tx
    .select()
    .from(savedViews)
    .where(and(isOpen(usdot, reader), eq(id, viewId)));
  if (view === undefined) throw new AppError('unknown-view');
  return view;
};

/** Changes a reader's own view. @throws AppError 'unknown-view', 'view-name-taken', 'bad-input' */
export const changeView = (
  context: ActionContext,
  usdot: string,
  viewId: string,
  input: ViewChange,
): Promise<void> => {
  if (Object.keys(input).length === 0)
    throw new AppError('bad-input', { detail: 'Nothing is to be changed.' });
  return change(context, 'view.share', async (tx, record) => {
    const reader = toReader(context.viewer);
    await lockFleet(tx, usdot);
    const before = await requireView(tx, usdot, reader, viewId);
    if (before.reader !== reader) throw new AppError('unknown-view');
    const after = { ...before, ...input };
    await requireTagsOf(tx, usdot, context.viewer, after.search, before.search);
    await requireFreeName(tx, usdot, reader, after.name, viewId);
    await tx.update(savedViews).set(input).where(eq(id, viewId));
    if (after.isShared) await record(after.name, { usdot, view: after.search });
    else if (before.isShared) await record(before.name, { usdot }, 'view.remove');
  });
};

/** Removes a reader's own view; a manager also removes one that another person shares. @throws AppError 'unknown-view' */
export const removeView = (context: ActionContext, usdot: string, viewId: string): Promise<void> =>
  change(context, 'view.remove', async (tx, record) => {
    const reader = toReader(context.viewer);
    const view = await requireView(tx, usdot, reader, viewId);
    if (view.reader !== reader && context.viewer.role !== 'manager') throw new AppError('managers-only');
    await tx.delete(savedViews).where(eq(id, viewId));
    if (view.isShared) await record(view.name, { usdot });
  });

/** Chooses the view that a reader's start page shows; null: the whole fleet. @throws AppError 'unknown-view' */
export const chooseStart = async (
  { database, viewer }: Pick<ActionContext, 'database' | 'viewer'>,
  usdot: string,
  viewId: string | null,
): Promise<void> => {
  const { orm } = await database.open();
  const reader = toReader(viewer);
  await orm.transaction(async (tx) => {
    if (viewId !== null) await requireView(tx, usdot, reader, viewId);
    await writeStart(tx, usdot, reader, viewId);
  });
};

const readStart = async (orm: Executor, usdot: string, reader: string): Promise<string> => {
  const [view] = await orm
    .select({ search })
    .from(fleetReaders)
    .innerJoin(savedViews, eq(id, fleetReaders.startViewId))
    .where(and(eq(fleetReaders.reader, reader), eq(fleetReaders.usdot, usdot), isOpen(usdot, reader)));
  return view?.search ?? '';
};

/** The query of the view that a viewer's start page shows; empty where none is chosen, or none can be read at once. */
export const readStartSearch = async (
  { database, log }: Pick<ActionContext, 'database'> & { log: Pick<Log, 'warn'> },
  viewer: Viewer,
  usdot: string,
): Promise<string> => {
  if (viewer.kind === 'screen') return '';
  try {
    const read = database.open().then(({ orm }) => readStart(orm, usdot, toReader(viewer)));
    return await Promise.race([read, delay(WAIT_MS, '', { ref: false })]);
  } catch (error) {
    // The map itself shows without a database.
    if (!isAppError(error)) log.warn({ err: error }, 'The view of a start page could not be read.');
    return '';
  }
};
