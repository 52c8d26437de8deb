import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { MANAGER, createTestSignIn } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { addNote, listNotes, noteInputSchema, removeNote } from './notes';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';

const VIN = '1M8GDM9AXKP042788';
const NOW_MS = Date.UTC(2026, 10, 24, 12);
const BEN: Viewer = { ...MANAGER, id: 'b', name: 'Ben', email: 'ben@carrier.test', role: 'dispatcher' };

let database: TestDatabase;
let test: ReturnType<typeof createTestSignIn>;
beforeAll(async () => {
  database = await createTestDatabase();
  test = createTestSignIn(database.databaseUrl);
});
afterAll(async () => {
  await test.app.close();
  await database.drop();
});
beforeEach(() => void (test.clock.nowMs = NOW_MS));

const by = (viewer: Viewer): ActionContext => ({
  ...test.app,
  clock: { nowMs: () => test.clock.nowMs },
  viewer,
  client: { address: '203.0.113.7' },
});
const read = async (usdot: string) =>
  listNotes((await test.app.database.open()).orm, usdot, BEN, test.clock.nowMs);
const readAudit = () =>
  database.query('select actor, action, subject, details from linehaul.audit_log order by id');

it('a note is there with its author until it expires, and for its own fleet alone', async () => {
  const friday = NOW_MS + 3 * DAY_MS;
  const note = await addNote(by(BEN), '1', { unit: VIN, text: 'Brakes, at shop', expiresMs: friday });
  expect(note).toMatchObject({ unit: VIN, text: 'Brakes, at shop', author: 'Ben', createdMs: NOW_MS });
  test.clock.nowMs += 1000;
  const lasting = await addNote(by(MANAGER), '1', { unit: VIN, text: 'Winter tires', expiresMs: null });
  expect(await read('1')).toEqual([lasting, note]);
  expect(await read('2')).toEqual([]);
  test.clock.nowMs = friday;
  expect(await read('1')).toEqual([lasting]);
  const [record] = await readAudit();
  expect(record).toEqual({
    actor: 'ben@carrier.test',
    action: 'note.add',
    subject: VIN,
    details: { usdot: '1', note: 'Brakes, at shop', expiresAtMs: friday },
  });
});

it('the same note twice within a minute is one', async () => {
  const call = { unit: VIN, text: 'Called 6:00 AM, left message', expiresMs: NOW_MS + DAY_MS };
  const twice = await Promise.all([addNote(by(BEN), '7', call), addNote(by(BEN), '7', call)]);
  expect(twice[0]).toEqual(twice[1]);
  test.clock.nowMs += MINUTE_MS;
  const later = { ...call, expiresMs: call.expiresMs + MINUTE_MS };
  expect(await addNote(by(BEN), '7', later)).toEqual(twice[0]);
  await addNote(by(BEN), '7', { ...call, expiresMs: null });
  await addNote(by(MANAGER), '7', call);
  expect(await read('7')).toHaveLength(3);
  test.clock.nowMs += 1;
  await addNote(by(BEN), '7', later);
  expect(await read('7')).toHaveLength(4);
});

it('another user removes a note, once, and only through its own fleet', async () => {
  const { id } = await addNote(by(BEN), '3', { unit: VIN, text: 'Flat', expiresMs: null });
  const gone = { code: 'unknown-note' };
  await expect(async () => removeNote(by(MANAGER), '4', String(id))).rejects.toMatchObject(gone);
  await removeNote(by(MANAGER), '3', String(id));
  expect(await read('3')).toEqual([]);
  for (const again of [String(id), '9'.repeat(15), '-1', 'x', '1e3'])
    await expect(async () => removeNote(by(MANAGER), '3', again), again).rejects.toMatchObject(gone);
  expect((await readAudit()).at(-1)).toEqual({
    actor: MANAGER.email,
    action: 'note.remove',
    subject: VIN,
    details: { usdot: '3', note: 'Flat', by: 'Ben' },
  });
});

it('a note that cannot be in the audit log is not written', async () => {
  await database.query('alter table linehaul.audit_log rename to hidden');
  await expect(addNote(by(BEN), '5', { unit: VIN, text: 'Lost?', expiresMs: null })).rejects.toThrow();
  await database.query('alter table linehaul.hidden rename to audit_log');
  expect(await read('5')).toEqual([]);
});

it('refuses a time that has passed or is far away, an empty key and a note beyond the limit', async () => {
  const input = { unit: VIN, text: 'Tires', expiresMs: null };
  for (const expiresMs of [NOW_MS, NOW_MS + 367 * DAY_MS])
    await expect(async () => addNote(by(BEN), '6', { ...input, expiresMs })).rejects.toMatchObject({
      code: 'bad-input',
      faults: [{ field: 'expiresMs' }],
    });
  await expect(async () => addNote(by(BEN), '6', { ...input, unit: '' })).rejects.toMatchObject({
    code: 'malformed-key',
  });
  await database.query(
    `insert into linehaul.unit_notes (usdot, unit, text, author, created_ms, expires_ms)
     select '6', 'x', 'note', 'Ann', 0, case when n = 0 then 1 end from generate_series(0, 999) n`,
  );
  // One of the thousand has expired.
  await addNote(by(BEN), '6', input);
  await expect(addNote(by(BEN), '6', { ...input, text: 'Brakes' })).rejects.toMatchObject({
    code: 'too-many-notes',
  });
});

it('reads a note as one line, and refuses what cannot be seen', () => {
  const parse = (text: string) => noteInputSchema.safeParse({ unit: VIN, text, expiresMs: null });
  expect(parse('  Brakes,\n at   shop ').data?.text).toBe('Brakes, at shop');
  expect(parse(' \n').error?.issues[0]?.message).toBe('Write a note.');
  expect(parse('x'.repeat(301)).success).toBe(false);
  expect(parse('turned \u202e round').success).toBe(false);
});

it('a user of some units reads, writes and removes notes on these alone', async () => {
  const limited = { ...BEN, tags: ['flatbeds'] };
  await database.query(
    `insert into linehaul.unit_tags values ('9', 'flatbeds', $1), ('9', 'tankers', 'OUT')`,
    [VIN],
  );
  const inside = await addNote(by(limited), '9', { unit: VIN, text: 'In', expiresMs: null });
  const outside = await addNote(by(BEN), '9', { unit: 'OUT', text: 'Out', expiresMs: null });
  const { orm } = await test.app.database.open();
  expect(await listNotes(orm, '9', limited, test.clock.nowMs)).toEqual([inside]);
  await expect(addNote(by(limited), '9', { unit: 'OUT', text: 'x', expiresMs: null })).rejects.toMatchObject({
    code: 'unknown-unit',
  });
  await expect(removeNote(by(limited), '9', String(outside.id))).rejects.toMatchObject({
    code: 'unknown-note',
  });
  await removeNote(by(limited), '9', String(inside.id));
  expect(await read('9')).toEqual([outside]);
});
