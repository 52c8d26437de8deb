import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MANAGER, createTestSignIn, insertViewer } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { addRule, changeRule, listFleetRules } from '@/lib/alerts/server/rules';
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
  // The last tag that a free truck needs is gone: not all others are free, none are.
  await change('8', { change: 'delete', tag: 'parked' });
  expect(await readFree()).toBeNull();
  expect((await readAudit('8')).at(-1)).toEqual({ subject: 'parked', details: { removed: 1, free: null } });
  const free = { change: 'free', has: ['gone'], not: ['night shift'] } as const;
  const named = { ...free, has: [...free.has], not: [...free.not] };
  await expect(change('8', named)).rejects.toMatchObject({ code: 'bad-input', faults: [{ field: 'has' }] });
  await add('8', 'gone', ['C']);
  await change('8', named);
  await change('8', { change: 'remove', tag: 'gone', units: ['C'] });
  await change('8', named);
  await change('8', { change: 'rename', tag: 'night shift', to: 'gone' });
  expect(await readFree()).toBeNull();
  await change('8', { change: 'free', has: [], not: [] });
  expect(await readFree()).toBeNull();
  expect((await readAudit('8')).at(-1)).toEqual({ subject: 'free trucks', details: { has: [], not: [] } });
  expect(tagChangeSchema.safeParse({ change: 'free', has: ['a'], not: ['A'] }).success).toBe(false);
});

it('what names a tag follows it under its new name: rules, report mails and saved views; a mail about a removed one ends', async () => {
  await add('9', 'reefers', ['A']);
  await insertViewer(database, MANAGER);
  await database.query(
    `insert into linehaul.alert_rules (usdot, name, severity, condition, units, cool_down_min, is_enabled, made_by, created_at, updated_at)
     values ('9', 'Silent', 'info', '{}', '{"type": "tags", "tags": ["night", "reefers", "cold"]}', 0, true, 'ann', now(), now())`,
  );
  await database.query(
    `insert into linehaul.report_mails (user_id, usdot, kind, tag, at_min, time_zone, weekdays, hours)
     values ($1, '9', 'miles', 'reefers', 0, 'UTC', '{1}', 24), ($1, '8', 'miles', 'reefers', 0, 'UTC', '{1}', 24)`,
    [MANAGER.id],
  );
  await database.query(
    `insert into linehaul.saved_views (id, usdot, reader, is_shared, name, search, created_at)
     values ('v', '9', 'a', true, 'Cold', '?status=late&tag=flatbeds,reefers', now())`,
  );
  await change('9', { change: 'rename', tag: 'reefers', to: 'cold' });
  expect(
    await database.query(`select units->'tags' as tags from linehaul.alert_rules where usdot = '9'`),
  ).toEqual([{ tags: ['night', 'cold'] }]);
  expect(await database.query(`select search from linehaul.saved_views where id = 'v'`)).toEqual([
    { search: '?status=late&tag=flatbeds,cold' },
  ]);
  const readMails = () =>
    database.query('select usdot, tag, is_ending from linehaul.report_mails order by usdot desc');
  const other = { usdot: '8', tag: 'reefers', is_ending: false };
  expect(await readMails()).toEqual([{ usdot: '9', tag: 'cold', is_ending: false }, other]);
  await change('9', { change: 'delete', tag: 'cold' });
  expect(await readMails()).toEqual([{ usdot: '9', tag: 'cold', is_ending: true }, other]);
});

it('a rule that is changed while its tag is renamed has the new name afterwards, and one may not take the old name back', async () => {
  const { app } = test;
  const context = { ...app, viewer: MANAGER, client: { address: '203.0.113.7' }, clock: { nowMs: () => 0 } };
  const input = {
    ...{ name: 'Silent', condition: { kind: 'silent' as const, forMin: 45 }, severity: 'info' as const },
    ...{ schedule: null, coolDownMin: 0, isEnabled: true, isOwn: false },
  };
  const units = { type: 'tags' as const, tags: ['n0'] };
  await add('10', 'n0', ['A']);
  const { id } = await addRule(context, '10', { ...input, units });
  for (const n of [0, 1, 2, 3, 4, 5]) {
    await Promise.all([
      changeRule(context, '10', String(id), { coolDownMin: n }),
      change('10', { change: 'rename', tag: `n${n}`, to: `n${n + 1}` }),
      changeRule(context, '10', String(id), { name: `Silent ${n}` }),
    ]);
    const [rule] = (await listFleetRules(context, '10')).rules;
    expect(rule!.units).toEqual({ type: 'tags', tags: [`n${n + 1}`] });
  }
  await expect(changeRule(context, '10', String(id), { units })).rejects.toMatchObject({
    detail: 'No truck has the tag n0. Give it to a truck first, or choose another tag.',
  });
  const added = addRule(context, '10', { ...input, units });
  await expect(added).rejects.toMatchObject({ code: 'bad-input', faults: [{ field: 'units.tags' }] });
  // A tag that was removed since stays in a rule that is changed otherwise.
  await change('10', { change: 'delete', tag: 'n6' });
  const kept = { type: 'tags' as const, tags: ['n6'] };
  expect((await changeRule(context, '10', String(id), { name: 'Kept', units: kept })).units).toEqual(kept);
});
