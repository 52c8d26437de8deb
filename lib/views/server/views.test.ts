import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { MANAGER, createTestSignIn, insertViewer } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { ViewInput } from '../schema';
import {
  changeView,
  chooseStart,
  listViews,
  readStartSearch,
  removeView,
  saveView,
  viewInputSchema,
} from './views';

const BEN: Viewer = { ...MANAGER, id: 'b', name: 'Ben', email: 'ben@carrier.test', role: 'dispatcher' };
const DEMO: Viewer = { ...MANAGER, kind: 'demo', id: null, name: 'Demo', email: null };
const INPUT: ViewInput = { name: 'Night', search: '?status=moving', isShared: false, isStart: false };

let database: TestDatabase;
let test: ReturnType<typeof createTestSignIn>;
beforeAll(async () => {
  database = await createTestDatabase();
  test = createTestSignIn(database.databaseUrl);
  await insertViewer(database, MANAGER);
  await insertViewer(database, BEN);
});
afterAll(async () => {
  await test.app.close();
  await database.drop();
});

const by = (viewer: Viewer): ActionContext => ({
  ...test.app,
  clock: { nowMs: () => 0 },
  viewer,
  client: { address: '203.0.113.7' },
});
const read = async (usdot: string, viewer: Viewer) =>
  listViews((await test.app.database.open()).orm, usdot, viewer);
const namesOf = async (usdot: string, viewer: Viewer) =>
  (await read(usdot, viewer)).views.map(({ name, isOwn, by: maker }) => [name, isOwn, maker]);
const readAudit = async (usdot: string) =>
  (
    await database.query(
      `select actor, action, subject from linehaul.audit_log where details ->> 'usdot' = $1 order by id`,
      [usdot],
    )
  ).map(({ actor, action, subject }) => [actor, action, subject]);
const log = { warn: vi.fn() };
const readStart = (usdot: string, viewer: Viewer) =>
  readStartSearch({ database: test.app.database, log }, viewer, usdot);

it('of two that are saved at once under a name, one is refused', async () => {
  const saved = await Promise.allSettled([1, 2].map(() => saveView(by(BEN), '9', INPUT)));
  const refused = saved.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toMatchObject([{ code: 'view-name-taken' }]);
});

it('a view is of its reader and fleet alone until it is shared, and sharing is in the audit log', async () => {
  const { id } = await saveView(by(BEN), '1', INPUT);
  await saveView(by(MANAGER), '1', { ...INPUT, name: 'all flatbeds', isShared: true });
  await saveView(by(MANAGER), '2', { ...INPUT, isShared: true });
  expect(await namesOf('1', BEN)).toEqual([
    ['all flatbeds', false, 'Ann'],
    ['Night', true, 'Ben'],
  ]);
  expect(await namesOf('1', MANAGER)).toEqual([['all flatbeds', true, 'Ann']]);
  await changeView(by(BEN), '1', id, { isShared: true });
  await changeView(by(BEN), '1', id, { name: 'Nights', search: '?q=volvo' });
  expect(await namesOf('1', DEMO)).toEqual([
    ['all flatbeds', false, 'Ann'],
    ['Nights', false, 'Ben'],
  ]);
  await changeView(by(BEN), '1', id, { isShared: false });
  expect(await namesOf('1', DEMO)).toEqual([['all flatbeds', false, 'Ann']]);
  await removeView(by(BEN), '1', id);
  expect(await readAudit('1')).toEqual([
    [MANAGER.email, 'view.share', 'all flatbeds'],
    [BEN.email, 'view.share', 'Night'],
    [BEN.email, 'view.share', 'Nights'],
    [BEN.email, 'view.remove', 'Nights'],
  ]);
});

it('only its maker changes a view, a manager also removes a shared one, and others do not see a personal one', async () => {
  const shared = await saveView(by(MANAGER), '3', { ...INPUT, isShared: true });
  const own = await saveView(by(BEN), '3', INPUT);
  const unknown = { code: 'unknown-view' };
  await expect(changeView(by(BEN), '3', shared.id, { name: 'Mine' })).rejects.toMatchObject(unknown);
  await expect(removeView(by(BEN), '3', shared.id)).rejects.toMatchObject({ code: 'managers-only' });
  for (const [usdot, id] of [
    ['3', own.id],
    ['4', shared.id],
    ['3', 'x'],
  ] as const) {
    await expect(changeView(by(MANAGER), usdot, id, { name: 'X' })).rejects.toMatchObject(unknown);
    await expect(removeView(by(MANAGER), usdot, id)).rejects.toMatchObject(unknown);
    await expect(chooseStart(by(MANAGER), usdot, id)).rejects.toMatchObject(unknown);
  }
  await changeView(by(BEN), '3', own.id, { isShared: true });
  await removeView(by(MANAGER), '3', own.id);
  expect(await namesOf('3', BEN)).toEqual([['Night', false, 'Ann']]);
  expect((await readAudit('3')).at(-1)).toEqual([MANAGER.email, 'view.remove', 'Night']);
});

it('a name is used once by a reader, and a change needs one', async () => {
  const { id } = await saveView(by(BEN), '5', INPUT);
  await saveView(by(MANAGER), '5', INPUT);
  const taken = { code: 'view-name-taken' };
  await expect(saveView(by(BEN), '5', INPUT)).rejects.toMatchObject(taken);
  const other = await saveView(by(BEN), '5', { ...INPUT, name: 'Day' });
  await expect(changeView(by(BEN), '5', other.id, { name: 'Night' })).rejects.toMatchObject(taken);
  await changeView(by(BEN), '5', id, { name: 'Night', search: '' });
  await expect(async () => changeView(by(BEN), '5', id, {})).rejects.toMatchObject({ code: 'bad-input' });
});

it('the start page shows the chosen view of its fleet for as long as the reader may open it', async () => {
  const night = await saveView(by(BEN), '6', { ...INPUT, isStart: true });
  expect(await readStart('6', BEN)).toBe('?status=moving');
  expect(await readStart('7', BEN)).toBe('');
  expect(await readStart('6', MANAGER)).toBe('');
  const shared = await saveView(by(MANAGER), '6', { ...INPUT, search: '?q=volvo', isShared: true });
  await chooseStart(by(BEN), '6', shared.id);
  expect((await read('6', BEN)).startId).toBe(shared.id);
  expect(await readStart('6', BEN)).toBe('?q=volvo');
  await changeView(by(MANAGER), '6', shared.id, { isShared: false });
  expect((await read('6', BEN)).startId).toBeNull();
  expect(await readStart('6', BEN)).toBe('');
  await chooseStart(by(BEN), '6', night.id);
  await removeView(by(BEN), '6', night.id);
  expect(await readStart('6', BEN)).toBe('');
  await chooseStart(by(DEMO), '6', null);
  expect(await readStart('6', DEMO)).toBe('');
});

it('a start page without a database, or with one that does not answer, shows the map as it is', async () => {
  const failing = { open: () => Promise.reject(new Error('no database')) };
  expect(await readStartSearch({ database: failing, log }, BEN, '6')).toBe('');
  expect(log.warn).toHaveBeenCalledOnce();
  const hanging = { open: () => new Promise<never>(() => undefined) };
  expect(await readStartSearch({ database: hanging, log }, BEN, '6')).toBe('');
});

it('keeps of an address what a view knows, without the selected unit and the moment', () => {
  const parse = (search: string) => viewInputSchema.parse({ ...INPUT, search }).search;
  expect(
    parse('?unit=a&status=late&x=1&past=2026-11-17&speed=60&tag=flatbeds&at=@35,-101,8&in=view&near=35,-101'),
  ).toBe('?status=late&tag=flatbeds&in=view&at=@35,-101,8');
  expect(parse('?nothing=known')).toBe('');
});

it('a view names tags that trucks have, and keeps one that no truck has any more', async () => {
  const search = '?status=late&tag=flatbeds';
  const save = (viewer: Viewer) => saveView(by(viewer), '6', { ...INPUT, search });
  await expect(save(BEN)).rejects.toMatchObject({ code: 'bad-input', faults: [{ field: 'search' }] });
  await database.query(
    `insert into linehaul.unit_tags (usdot, tag, unit) values ('6', 'flatbeds', 'A'), ('6', 'reefers', 'B')`,
  );
  const { id } = await save(BEN);
  // One who does not see its trucks does not learn that there are any.
  await expect(save({ ...MANAGER, tags: ['reefers'] })).rejects.toMatchObject({ code: 'bad-input' });
  await database.query(`delete from linehaul.unit_tags where usdot = '6'`);
  await changeView(by(BEN), '6', id, { search: '?tag=flatbeds' });
  await expect(changeView(by(BEN), '6', id, { search: '?tag=reefers' })).rejects.toMatchObject({
    code: 'bad-input',
  });
});
