import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MANAGER, createTestSignIn } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { TagChange } from '../schema';
import { changeTags, listTags, readFreeTags, tagChangeSchema } from './tags';

let database: TestDatabase;
let test: ReturnType<typeof createTestSignIn>;
const reload = vi.fn();
beforeAll(async () => {
  database = await createTestDatabase();
  test = createTestSignIn(database.databaseUrl);
});
afterAll(async () => {
  await test.app.close();
  await database.drop();
});

const change = (usdot: string, input: TagChange): Promise<void> => {
  const context = { ...test.app, clock: { nowMs: () => 0 }, watch: { reload } };
  return changeTags({ ...context, viewer: MANAGER, client: { address: '203.0.113.7' } }, usdot, input);
};
const add = (usdot: string, tag: string, units: string[]) => change(usdot, { change: 'add', tag, units });
const read = async (usdot: string) => listTags((await test.app.database.open()).orm, usdot, { tags: null });
const readAudit = async (usdot: string) =>
  database.query(
    `select subject, details - 'usdot' as details from linehaul.audit_log
     where action = 'tag.change' and details ->> 'usdot' = $1 order by id`,
    [usdot],
  );

it('units get a tag and lose it, the audit log names those that changed, and the rules are read again', async () => {
  await add('1', 'flatbeds', ['A', 'B']);
  await add('1', 'flatbeds', ['B', 'C', 'C']);
  await add('2', 'flatbeds', ['Z']);
  await change('1', { change: 'remove', tag: 'flatbeds', units: ['A', 'device:A'] });
  expect(await read('1')).toEqual([{ tag: 'flatbeds', units: ['B', 'C'] }]);
  expect(await readAudit('1')).toEqual([
    { subject: 'flatbeds', details: { added: ['A', 'B'] } },
    { subject: 'flatbeds', details: { added: ['C'] } },
    { subject: 'flatbeds', details: { removed: ['A'] } },
  ]);
  expect(reload.mock.calls).toEqual([['1'], ['1'], ['2'], ['1']]);
});

it('a tag is renamed, but not to another one, and removed', async () => {
  await add('3', 'flatbeds', ['A', 'B']);
  await add('3', 'night shift', ['A']);
  await expect(change('3', { change: 'rename', tag: 'flatbeds', to: 'night shift' })).rejects.toMatchObject({
    code: 'tag-taken',
  });
  await change('3', { change: 'rename', tag: 'flatbeds', to: 'open decks' });
  await change('3', { change: 'delete', tag: 'night shift' });
  expect(await read('3')).toEqual([{ tag: 'open decks', units: ['A', 'B'] }]);
  for (const again of ['delete', 'remove', 'rename'] as const)
    await expect(
      change('3', { change: again, tag: 'night shift', units: ['A'], to: 'x' } as TagChange),
    ).rejects.toMatchObject({ code: 'unknown-tag' });
  expect((await readAudit('3')).slice(2)).toEqual([
    { subject: 'flatbeds', details: { tag: { before: 'flatbeds', after: 'open decks' } } },
    { subject: 'night shift', details: { removed: 1 } },
  ]);
});

it('100,000 units get a tag at once, and the audit log has their number', async () => {
  const units = Array.from({ length: 100_000 }, (_, n) => `VIN${n}`);
  await add('4', 'all', units);
  expect((await read('4'))[0]!.units).toHaveLength(100_000);
  expect((await readAudit('4'))[0]!.details).toEqual({ added: 100_000 });
});

it('a fleet has at most 200 tags, however many are added at once', async () => {
  await database.query(
    `insert into linehaul.unit_tags select '5', 'tag ' || n, 'A' from generate_series(1, 199) n`,
  );
  const added = await Promise.allSettled(['x', 'y', 'z'].map((tag) => add('5', tag, ['A'])));
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await read('5')).toHaveLength(200);
});

it('reads a tag in small letters and without what an address or a search cannot hold', () => {
  const parse = (tag: string) => tagChangeSchema.safeParse({ change: 'add', tag, units: ['A'] });
  expect(parse('  Night   Shift ').data).toMatchObject({ tag: 'night shift' });
  for (const bad of ['', ' - ', 'a,b', 'a"b', 'x'.repeat(41), 'turned \u202e round'])
    expect(parse(bad).success, bad).toBe(false);
  expect(tagChangeSchema.safeParse({ change: 'add', tag: 'a', units: [] }).success).toBe(false);
});

it('a user of some units sees the tags of these alone, and no tag without any of them', async () => {
  await add('6', 'flatbeds', ['A', 'B']);
  await add('6', 'night shift', ['B', 'C']);
  await add('6', 'reefers', ['C']);
  await add('7', 'flatbeds', ['C']);
  const { orm } = await test.app.database.open();
  expect(await listTags(orm, '6', { tags: ['flatbeds', 'no such tag'] })).toEqual([
    { tag: 'flatbeds', units: ['A', 'B'] },
    { tag: 'night shift', units: ['B'] },
  ]);
  expect(await listTags(orm, '6', { tags: [] })).toEqual([]);
});

it('a fleet says by tags which units are free, and a renamed or removed tag takes its part along', async () => {
  const readFree = async (tags: string[] | null = null) => {
    const { orm } = await test.app.database.open();
    return readFreeTags(orm, '8', { tags }, await listTags(orm, '8', { tags }));
  };
  expect(await readFree()).toBeNull();
  await add('8', 'empty', ['A']);
  await add('8', 'in shop', ['A', 'B']);
  await add('8', 'night shift', ['B']);
  await change('8', { change: 'free', has: ['empty'], not: ['in shop', 'night shift'] });
  expect(await readFree()).toEqual({ has: ['empty'], not: ['in shop', 'night shift'] });
  // Who sees no unit of a tag does not get its name, and nothing is free to them without it.
  expect(await readFree(['empty'])).toEqual({ has: ['empty'], not: ['in shop'] });
  expect(await readFree(['night shift'])).toBeNull();
  await change('8', { change: 'rename', tag: 'empty', to: 'parked' });
  await change('8', { change: 'delete', tag: 'in shop' });
  expect(await readFree()).toEqual({ has: ['parked'], not: ['night shift'] });
  await change('8', { change: 'free', has: [], not: [] });
  expect(await readFree()).toBeNull();
  expect((await readAudit('8')).at(-1)).toEqual({ subject: 'free trucks', details: { has: [], not: [] } });
  expect(tagChangeSchema.safeParse({ change: 'free', has: ['a'], not: ['A'] }).success).toBe(false);
});
