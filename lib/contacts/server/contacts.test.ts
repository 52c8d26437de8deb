import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { MANAGER, createTestSignIn } from '@/testing/auth/sign-in';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { contactImportSchema, contactInputSchema } from '../contact';
import { changeContact, importContacts, listContacts } from './contacts';

const VIN = '1M8GDM9AXKP042788';
const BEN: Viewer = { ...MANAGER, id: 'b', name: 'Ben', email: 'ben@carrier.test', role: 'dispatcher' };
const NONE = {
  ...{ driver: '', driverPhone: '', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: '', dispatcherPhone: '', text: '' },
};

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

const by = (viewer: Viewer): ActionContext => ({
  ...test.app,
  clock: { nowMs: () => 1000 },
  viewer,
  client: { address: '203.0.113.7' },
});
const read = async (usdot: string, viewer: Viewer = BEN) =>
  listContacts((await test.app.database.open()).orm, usdot, viewer);
const readAudit = () =>
  database.query('select actor, action, subject, details from linehaul.audit_log order by id');
const readAuditOf = async (usdot: string) =>
  (await readAudit())
    .map(({ action, subject, details }) => ({
      action,
      subject,
      details: details as { usdot: string; driver?: { before: string; after: string } },
    }))
    .filter(({ details }) => details.usdot === usdot);

it('contacts are those of their fleet, and each change is in the audit log with what it was', async () => {
  const typed = { ...NONE, unit: VIN, driver: ' Ann  Lee ', driverPhone: '512 555 0123' };
  const ann = contactInputSchema.parse(typed);
  expect(ann).toEqual({ ...NONE, unit: VIN, driver: 'Ann Lee', driverPhone: '+15125550123' });
  await changeContact(by(BEN), '1', ann);
  expect(await read('1')).toEqual([ann]);
  expect(await read('2')).toEqual([]);
  await changeContact(by(MANAGER), '1', { ...ann, text: 'Sleeps until 2 PM' });
  // Nothing changed, so that nothing is recorded.
  await changeContact(by(MANAGER), '1', { ...ann, text: 'Sleeps until 2 PM' });
  await changeContact(by(BEN), '1', { ...NONE, unit: VIN });
  expect(await read('1')).toEqual([]);
  expect(await readAudit()).toEqual([
    {
      actor: 'ben@carrier.test',
      action: 'contact.change',
      subject: VIN,
      details: {
        usdot: '1',
        driver: { before: '', after: 'Ann Lee' },
        driverPhone: { before: '', after: '+15125550123' },
      },
    },
    expect.objectContaining({ details: { usdot: '1', text: { before: '', after: 'Sleeps until 2 PM' } } }),
    expect.objectContaining({ actor: 'ben@carrier.test', action: 'contact.change' }),
  ]);
});

it('a user of some tags reads and changes contacts of those units alone', async () => {
  await database.query(`insert into linehaul.unit_tags (usdot, tag, unit) values ('3', 'night', 'A')`);
  const night = { ...BEN, tags: ['night'] };
  for (const unit of ['A', 'B']) await changeContact(by(BEN), '3', { ...NONE, unit, driver: unit });
  expect((await read('3', night)).map(({ unit }) => unit)).toEqual(['A']);
  await changeContact(by(night), '3', { ...NONE, unit: 'A', driver: 'Kim' });
  await expect(changeContact(by(night), '3', { ...NONE, unit: 'B' })).rejects.toMatchObject({
    code: 'unknown-unit',
  });
  expect((await read('3')).map(({ driver }) => driver)).toEqual(['Kim', 'B']);
});

it('a contact that cannot be in the audit log is not stored', async () => {
  await database.query('alter table linehaul.audit_log rename to hidden');
  await expect(changeContact(by(BEN), '5', { ...NONE, unit: VIN, driver: 'Ann' })).rejects.toThrow();
  await database.query('alter table linehaul.hidden rename to audit_log');
  expect(await read('5')).toEqual([]);
});

it('says what is wrong with a number', () => {
  const parsed = contactInputSchema.safeParse({ ...NONE, unit: VIN, driverPhone: '555-0123' });
  expect(parsed.error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
    ['driverPhone', expect.stringMatching(/area code/)],
  ]);
});

it('changes at the same time are made one after the other, each with what was there before', async () => {
  const drivers = ['Ann', 'Bo', 'Cy'];
  await Promise.all(drivers.map((driver) => changeContact(by(BEN), '6', { ...NONE, unit: 'A', driver })));
  const records = await readAuditOf('6');
  expect(records.map(({ details }) => details.driver?.before)).toEqual([
    '',
    ...records.slice(0, -1).map(({ details }) => details.driver?.after),
  ]);
  const units = Array.from({ length: 40 }, (_, at) => `U${at}`);
  const imports = [0, 1, 2, 3].map((part) =>
    importContacts(
      by(MANAGER),
      '6',
      (part % 2 === 0 ? units : units.toReversed()).map((unit) => ({
        unit,
        ...[{ driver: 'Ann' }, { text: 'Night shift' }, { driver: 'Ann' }, { dispatcher: 'Sam' }][part],
      })),
    ),
  );
  await Promise.all(imports);
  expect((await read('6')).filter(({ unit }) => unit !== 'A')).toEqual(
    units
      .toSorted()
      .map((unit) => ({ ...NONE, unit, driver: 'Ann', text: 'Night shift', dispatcher: 'Sam' })),
  );
});

it('an import is in the audit log by each contact that it changes, of many by their number', async () => {
  await importContacts(by(BEN), '7', [
    { unit: 'A', driver: 'Ann' },
    { unit: 'B', driver: '' },
  ]);
  const units = Array.from({ length: 21 }, (_, at) => ({ unit: `U${at}`, driver: 'Kim' }));
  await importContacts(by(BEN), '7', units);
  const records = await readAuditOf('7');
  expect(records.map(({ action, subject, details }) => [action, subject, details])).toEqual([
    ['contact.change', 'A', { usdot: '7', driver: { before: '', after: 'Ann' } }],
    ['contact.import', null, { usdot: '7', trucks: 2, changed: 1 }],
    ['contact.import', null, { usdot: '7', trucks: 21, changed: 21 }],
  ]);
});

it('an import leaves what its file has no column of, also what another user changed meanwhile', async () => {
  await changeContact(by(BEN), '4', { ...NONE, unit: 'A', driver: 'Ann', text: 'Night shift' });
  const { contacts } = contactImportSchema.parse({
    contacts: [
      { unit: 'A', driverPhone: '512 555 0199' },
      { unit: 'B', driver: 'Bo' },
    ],
  });
  await importContacts(by(MANAGER), '4', contacts);
  expect(await read('4')).toEqual([
    { ...NONE, unit: 'A', driver: 'Ann', text: 'Night shift', driverPhone: '+15125550199' },
    { ...NONE, unit: 'B', driver: 'Bo' },
  ]);
});
