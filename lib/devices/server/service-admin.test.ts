import { Readable } from 'node:stream';
import { changeContact } from '@/lib/contacts/server/contacts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { clockOf } from '@/testing/clock';
import { createTestStore } from '@/testing/service/store';
import { OWN_CREDENTIAL } from '@/service/store/credentials/keys';
import { CARRIER, OTHER_CARRIER, toImport, toVehicle, toVin } from '@/testing/service/vehicles';
import {
  changeApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '@/lib/api-keys/server/api-keys';
import { toProblem } from '@/lib/access/respond';
import { runCommand } from '@/service/command/main';
import { createServiceAdmin } from '@/server/service/upstream';
import { insertUser } from '@/lib/auth/server/user-repository';
import { createTestSignIn } from '@/testing/auth/sign-in';
import {
  addVehicle,
  changeVehicle,
  createIngestToken,
  exportVehicles,
  importVehicles,
  listDevices,
  removeVehicle,
  requireVehicles,
  revokeIngestToken,
} from './devices';

const test = createTestStore();
const { usdot } = CARRIER;
const UNLIMITED = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
const NEW_KEY = { usdot, name: 'yard', access: UNLIMITED };
let events: AuditEvent[] = [];

/** A manager whose scope is `usdots`; null: all fleets. */
const toViewer = (usdots: string[] | null = null): Viewer => ({
  kind: 'user',
  id: usdots === null ? 'u1' : `u1 of ${usdots.join()}`,
  name: 'Ada',
  email: usdots === null ? 'ada@linehaul.test' : `ada-${usdots.join()}@linehaul.test`,
  role: 'manager',
  usdots,
  tags: null,
});
let signIn: ReturnType<typeof createTestSignIn>['app'];

const toContext = (viewer: Viewer) => ({
  viewer,
  openServiceAdmin: () => Promise.resolve(createServiceAdmin(test.store)),
  clock: clockOf(test.now),
  env: { homeUsdot: OTHER_CARRIER.usdot, source: 'own' },
  get database() {
    return signIn.database;
  },
  audit: { record: (event: AuditEvent) => Promise.resolve(void events.push(event)) },
  client: { headers: new Headers(), address: '203.0.113.7', isLocal: false, isTls: true },
});
const toActor = (usdots: string[] | null = null) => toContext(toViewer(usdots));
/** A manager whose rights were revoked after the request began. */
const toStaleActor = () => toContext({ ...toViewer(), id: 'stale', email: 'stale@linehaul.test' });
const all = toActor();
const limited = toActor([OTHER_CARRIER.usdot]);
const actions = () => events.map(({ action, subject, address }) => [action, subject, address]);

beforeAll(async () => {
  signIn = createTestSignIn(test.databaseUrl).app;
  const { orm } = await signIn.database.open();
  const insert = (viewer: Viewer, role: Viewer['role'] = 'manager') =>
    insertUser(orm, { ...viewer, id: viewer.id!, email: viewer.email!, role, passwordHash: null }, 0);
  for (const usdots of [null, [OTHER_CARRIER.usdot], [usdot]]) await insert(toViewer(usdots));
  await insert(toStaleActor().viewer, 'dispatcher');
  await test.store.carriers.upsert(CARRIER);
  await test.store.carriers.upsert(OTHER_CARRIER);
});
afterAll(() => signIn.close());
beforeEach(() => {
  events = [];
});

describe('API keys', () => {
  it('records each change of a key with its manager and address, and never a secret', async () => {
    const made = await createApiKey(all, { ...NEW_KEY, access: { ...UNLIMITED, requestsPerMinute: 60 } });
    await changeApiKey(all, made.id, { name: 'gate', access: UNLIMITED });
    const newer = await rotateApiKey(all, made.id, 1000);
    await revokeApiKey(all, made.id);
    expect(actions()).toEqual([
      ['api-key.create', 'yard', '203.0.113.7'],
      ['api-key.change', 'gate', '203.0.113.7'],
      ['api-key.rotate', 'gate', '203.0.113.7'],
      ['api-key.revoke', 'gate', '203.0.113.7'],
    ]);
    expect(events[0]!.details).toEqual({ usdot, requestsPerMinute: 60, id: made.id });
    const recorded = JSON.stringify(events);
    for (const { apiKey, providerToken } of [made, newer]) {
      expect(recorded).not.toContain(apiKey);
      expect(recorded).not.toContain(providerToken);
    }
    const { keys } = await listApiKeys(all);
    expect(JSON.stringify(keys)).not.toContain('madeById');
    expect(keys[0]).toMatchObject({
      id: made.id,
      createdBy: 'ada@linehaul.test',
      revokedAtMs: test.nowMs,
    });
  });

  it('shows a manager the keys and carriers in scope, and rejects changes of others', async () => {
    const { id } = await createApiKey(all, NEW_KEY);
    events = [];
    const listed = await listApiKeys(limited);
    expect(listed.keys).toEqual([]);
    expect(listed.carriers.map((carrier) => carrier.usdot)).toEqual([OTHER_CARRIER.usdot]);
    await expect(createApiKey(limited, NEW_KEY)).rejects.toMatchObject({ code: 'unknown-fleet' });
    const attempts = [
      () => changeApiKey(limited, id, { name: 'x', access: UNLIMITED }),
      () => rotateApiKey(limited, id, 0),
      () => revokeApiKey(limited, id),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ code: 'unknown-credential' });
    expect(events).toEqual([]);
  });

  it('hides the creator of a key or token if it is a manager of other fleets', async () => {
    const ofOther = { ...NEW_KEY, usdot: OTHER_CARRIER.usdot };
    await createApiKey(all, ofOther);
    await createIngestToken(all, { usdot: OTHER_CARRIER.usdot, name: 'phones' });
    const { keys } = await listApiKeys(limited);
    const { tokens } = await listDevices(limited, OTHER_CARRIER.usdot);
    expect([keys.length, tokens.length]).toEqual([1, 1]);
    for (const { createdBy } of [...keys, ...tokens]) expect(createdBy).toBe('another manager');
    expect((await listApiKeys(all)).keys[0]!.createdBy).toBe('ada@linehaul.test');
  });

  it('hides the demo’s own credentials, which must not be revoked; a user’s key of the same name stays visible', async () => {
    const own = await test.store.keys.create({ usdot, ...OWN_CREDENTIAL });
    const token = await test.store.ingestTokens.create({ usdot, ...OWN_CREDENTIAL });
    const theirs = await createApiKey(all, { ...NEW_KEY, name: OWN_CREDENTIAL.name });
    const listed = (await listApiKeys(all)).keys.map(({ id }) => id);
    expect([listed.includes(own.id), listed.includes(theirs.id)]).toEqual([false, true]);
    expect((await listDevices(all, usdot)).tokens).toEqual([]);
    await expect(revokeApiKey(all, own.id)).rejects.toMatchObject({ code: 'unknown-credential' });
    await expect(revokeIngestToken(all, token.id)).rejects.toMatchObject({ code: 'unknown-credential' });
    await revokeApiKey(all, theirs.id);
  });

  it('records no refused change', async () => {
    await expect(createApiKey(all, { ...NEW_KEY, name: '' })).rejects.toThrow('is empty');
    await expect(revokeApiKey(all, 'unknown')).rejects.toMatchObject({ code: 'unknown-credential' });
    expect(events).toEqual([]);
  });
});

describe('devices', () => {
  it('adds a vehicle once, records it, and does not name the carrier of a vehicle that is taken', async () => {
    const input = { usdot, vin: ` ${toVin(1).toLowerCase()}`, truckNumber: ' T-1 ', deviceId: '' };
    await addVehicle(all, input);
    expect((await listDevices(all, usdot)).devices).toMatchObject([
      // It has an identifier of its own, and its VIN says who made it.
      { vin: toVin(1), truckNumber: 'T-1', deviceId: 'truck-kj000001', reportedAtMs: null, make: 'Kenworth' },
    ]);
    expect(actions()).toEqual([['vehicle.add', 'T-1', '203.0.113.7']]);
    await expect(addVehicle(all, input)).rejects.toThrow('The vehicle is in the list already.');
    await expect(addVehicle(limited, { ...input, usdot: OTHER_CARRIER.usdot })).rejects.toThrow(
      /^The vehicle drives for another carrier\.$/,
    );
    await expect(addVehicle(limited, input)).rejects.toMatchObject({ code: 'unknown-fleet' });
  });

  it('changes a vehicle’s number and device, keeps its other fields, and records the old values', async () => {
    await test.store.vehicles.upsertMany([
      toVehicle(11, { usdot, truckNumber: 'T-1', deviceId: null, make: 'Kenworth' }),
      toVehicle(12, { usdot, deviceId: 'taken' }),
    ]);
    const input = { usdot, vin: ` ${toVin(11).toLowerCase()}`, truckNumber: 'T-1', deviceId: ' phone 1 ' };
    await changeVehicle(all, input);
    expect(await test.store.vehicles.readByVin(toVin(11))).toMatchObject({
      truckNumber: 'T-1',
      deviceId: 'phone 1',
      make: 'Kenworth',
    });
    expect(actions()).toEqual([['vehicle.change', 'T-1', '203.0.113.7']]);
    expect(events[0]).toMatchObject({
      details: { usdot, vin: toVin(11), deviceId: { before: null, after: 'phone 1' } },
    });
    await changeVehicle(all, { ...input, truckNumber: null, deviceId: '' });
    expect(await test.store.vehicles.readByVin(toVin(11))).toMatchObject({
      truckNumber: null,
      deviceId: 'truck-kj000011',
    });
    await expect(changeVehicle(all, { ...input, deviceId: 'taken' })).rejects.toThrow('taken');
  });

  it('rejects changes of another carrier’s vehicle and of an unknown one', async () => {
    await test.store.vehicles.upsertMany([toVehicle(11, { usdot: OTHER_CARRIER.usdot, deviceId: 'theirs' })]);
    const input = { usdot, vin: toVin(11), truckNumber: 'X', deviceId: 'mine' };
    await expect(changeVehicle(all, input)).rejects.toMatchObject({ code: 'unknown-vehicle' });
    await expect(changeVehicle(all, { ...input, vin: toVin(19) })).rejects.toMatchObject({
      code: 'unknown-vehicle',
    });
    await expect(changeVehicle(limited, input)).rejects.toMatchObject({ code: 'unknown-fleet' });
    expect((await test.store.vehicles.readByVin(toVin(11)))?.deviceId).toBe('theirs');
    expect(events).toEqual([]);
  });

  it('are changed only with the manager’s current rights', async () => {
    await test.store.vehicles.upsertMany([toVehicle(21, { usdot, deviceId: 'before' })]);
    const stale = toStaleActor();
    const rest = { usdot, truckNumber: null, deviceId: 'after' };
    await expect(addVehicle(stale, { ...rest, vin: toVin(22) })).rejects.toMatchObject({
      code: 'managers-only',
    });
    await expect(changeVehicle(stale, { ...rest, vin: toVin(21) })).rejects.toMatchObject({
      code: 'managers-only',
    });
    await expect(importVehicles(stale, toImport(usdot, ['vin', toVin(23)], 'x'))).rejects.toMatchObject({
      code: 'managers-only',
    });
    for (const number of [22, 23]) expect(await test.store.vehicles.readByVin(toVin(number))).toBeNull();
    expect((await test.store.vehicles.readByVin(toVin(21)))?.deviceId).toBe('before');
    expect(events).toEqual([]);
  });

  it('opens with the carrier on the map, or else the first in scope, and shows no other one', async () => {
    expect((await listDevices(all, null)).usdot).toBe(OTHER_CARRIER.usdot);
    expect((await listDevices(toActor([usdot]), null)).usdot).toBe(usdot);
    expect((await listDevices(limited, null)).usdot).toBe(OTHER_CARRIER.usdot);
    await expect(listDevices(limited, usdot)).rejects.toMatchObject({ code: 'unknown-fleet' });
  });

  it('imports a file as a whole or not at all, and only for the selected carrier', async () => {
    await test.store.vehicles.upsertMany([toVehicle(2, { usdot: OTHER_CARRIER.usdot })]);
    const send = (lines: string[], confirmed: string | null = null) =>
      importVehicles(all, toImport(usdot, lines, confirmed));
    const foreign = ['vin,usdot', `${toVin(3)},${OTHER_CARRIER.usdot}`, `${toVin(2)},${usdot}`];
    const refused = await send(foreign, (await send(foreign)).id);
    expect(refused.isImported).toBe(false);
    expect(refused.faults.rows.map(({ line, message }) => [line, message])).toEqual([
      [2, `the file is imported for carrier ${usdot}`],
      [3, `${toVin(2)} drives for another carrier`],
    ]);
    const preview = await send(['vin', toVin(3)]);
    expect(preview).toMatchObject({ isImported: false, added: { count: 1 }, faults: { count: 0 } });
    expect(await test.store.vehicles.readByVin(toVin(3))).toBeNull();
    expect(events).toEqual([]);
    expect(await send(['vin', toVin(3)], preview.id)).toMatchObject({ isImported: true, isOutdated: false });
    expect((await test.store.vehicles.readByVin(toVin(3)))?.usdot).toBe(usdot);
    expect(actions()).toEqual([['vehicle.import', usdot, '203.0.113.7']]);
  });

  it('previews the fields that change, and imports nothing if vehicles changed since', async () => {
    await test.store.vehicles.upsertMany([toVehicle(31, { usdot }), toVehicle(32, { usdot })]);
    const lines = ['vin,truck_number,device_id', `${toVin(31)},T-31,new`, `${toVin(32)},T-32,device-32`];
    const preview = await importVehicles(all, toImport(usdot, lines));
    expect(preview.changed.rows).toMatchObject([
      {
        line: 2,
        truckNumber: 'T-31',
        about: '2019 Kenworth T680',
        changes: [{ column: 'device_id', before: 'device-31', after: 'new' }],
      },
    ]);
    expect(preview.unchanged).toMatchObject({ count: 1, rows: [{ line: 3 }] });
    await changeVehicle(all, { usdot, vin: toVin(31), truckNumber: 'T-31', deviceId: 'by hand' });
    const outdated = await importVehicles(all, toImport(usdot, lines, preview.id));
    expect(outdated).toMatchObject({ isImported: false, isOutdated: true });
    expect(outdated.changed.rows[0]!.changes).toMatchObject([{ before: 'by hand', after: 'new' }]);
    expect((await test.store.vehicles.readByVin(toVin(31)))?.deviceId).toBe('by hand');
    expect(await importVehicles(all, toImport(usdot, lines, outdated.id))).toMatchObject({
      isImported: true,
    });
  });

  it('get an identifier of their own by form and file, also where two VINs end alike', async () => {
    const ends = ['1M8GDM9A', '3AKJGLDR', '1XKYD49X', '1FUJGLDR'].map((start) => `${start}XKP042788`);
    const [byFile, alsoByFile, byForm, moved] = ends as [string, string, string, string];
    const lines = ['vin', byFile, alsoByFile];
    const preview = await importVehicles(all, toImport(usdot, lines));
    expect(preview).toMatchObject({ added: { count: 2 }, faults: { count: 0 }, duplicates: { count: 0 } });
    expect((await importVehicles(all, toImport(usdot, lines, preview.id))).isImported).toBe(true);
    await addVehicle(all, { usdot, vin: byForm, truckNumber: null, deviceId: null });
    await addVehicle(all, { usdot, vin: moved, truckNumber: null, deviceId: 'phone' });
    await changeVehicle(all, { usdot, vin: moved, truckNumber: null, deviceId: null });
    // One that has an identifier keeps it.
    await changeVehicle(all, { usdot, vin: byFile, truckNumber: '1', deviceId: null });
    const { devices } = await listDevices(all, usdot);
    expect(ends.map((vin) => devices.find((each) => each.vin === vin)?.deviceId)).toEqual([
      'truck-kp042788',
      ...[alsoByFile, byForm, moved].map((vin) => `truck-${vin.toLowerCase()}`),
    ]);
  });

  it('have contacts by form and file, which are exported with them and leave with them', async () => {
    const [vin, other] = [toVin(41), toVin(42)];
    const contact = {
      ...{ driver: 'Ann Lee', driverPhone: '+15125550123', secondDriver: '', secondDriverPhone: '' },
      ...{ dispatcher: '', dispatcherPhone: '', text: '' },
    };
    await addVehicle(all, { usdot, vin, truckNumber: 'T-41', deviceId: null, fuelType: 'Diesel', contact });
    expect(actions().map(([action]) => action)).toEqual(['vehicle.add', 'contact.change']);
    const lines = ['vin,Driver,Driver phone', `${vin},Bo,512 555 0123`, `${other},Kim,555`];
    expect((await importVehicles(all, toImport(usdot, lines))).faults.rows).toMatchObject([
      { line: 3, column: 'driver_phone' },
    ]);
    lines[2] = `${other},Kim,(512) 555-0199`;
    const preview = await importVehicles(all, toImport(usdot, lines));
    expect(preview.changed.rows).toMatchObject([
      { changes: [{ column: 'driver', before: 'Ann Lee', after: 'Bo' }] },
    ]);
    expect(preview.added.rows).toMatchObject([{ contact: 'Driver: Kim (512) 555-0199' }]);
    expect((await importVehicles(all, toImport(usdot, lines, preview.id))).isImported).toBe(true);
    const csv = (await exportVehicles(all, usdot)).split('\r\n');
    expect(csv.find((line) => line.includes(vin))).toMatch(/Diesel.*,Bo,\(512\) 555-0123,/);
    const again = await importVehicles(all, toImport(usdot, csv.slice(0, -1)));
    expect([again.added.count, again.changed.count, again.faults.count]).toEqual([0, 0, 0]);
    await expect(removeVehicle(limited, { usdot, vin })).rejects.toMatchObject({ code: 'unknown-fleet' });
    await requireVehicles(all, usdot, [vin, other]);
    events = [];
    await removeVehicle(all, { usdot, vin });
    expect(events.map(({ action, subject }) => [action, subject])).toEqual([
      ['contact.change', vin],
      ['vehicle.remove', expect.anything()],
    ]);
    await expect(requireVehicles(all, usdot, [other, vin])).rejects.toMatchObject({ code: 'unknown-unit' });
    const { devices, contacts } = await listDevices(all, usdot);
    expect(devices.map((device) => device.vin)).not.toContain(vin);
    expect(contacts.map(({ unit }) => unit)).toEqual([other]);
    await expect(removeVehicle(all, { usdot, vin })).rejects.toMatchObject({ code: 'unknown-vehicle' });
  });

  it('leave no contact that is written beside their removal', async () => {
    const contact = { driver: 'Ann', driverPhone: '', secondDriver: '', secondDriverPhone: '' };
    for (const n of [51, 52, 53]) {
      const vin = toVin(n);
      await addVehicle(all, { usdot, vin, truckNumber: null, deviceId: null });
      const write = () =>
        changeContact(
          all,
          usdot,
          { unit: vin, ...contact, dispatcher: '', dispatcherPhone: '', text: '' },
          (tx, units) => requireVehicles(all, usdot, units, tx),
        );
      const results = await Promise.allSettled([
        ...[write(), write(), removeVehicle(all, { usdot, vin }), write(), write()],
      ]);
      expect(results[2]!.status).toBe('fulfilled');
      expect((await listDevices(all, usdot)).contacts.map(({ unit }) => unit)).not.toContain(vin);
      await expect(write()).rejects.toMatchObject({ code: 'unknown-unit' });
    }
  });

  it('are removed by a command with whom to call about them, which the audit log has', async () => {
    const vin = toVin(45);
    const contact = { driver: 'Ann Lee', driverPhone: '', secondDriver: '', secondDriverPhone: '' };
    const rest = { dispatcher: '', dispatcherPhone: '', text: '' };
    await addVehicle(all, {
      usdot,
      vin,
      truckNumber: null,
      deviceId: null,
      contact: { ...contact, ...rest },
    });
    const context = { databaseUrl: test.databaseUrl, now: test.now, env: {}, stdin: process.stdin };
    const silent = { stdout: () => undefined, stderr: () => undefined, signal: new AbortController().signal };
    expect(await runCommand(['vehicles', 'remove', vin, '--yes'], { ...context, ...silent })).toBe(0);
    expect((await listDevices(all, usdot)).contacts.map(({ unit }) => unit)).not.toContain(vin);
    const { pool } = await signIn.database.open();
    const { rows } = await pool.query('SELECT actor, action, subject, details FROM linehaul.audit_log');
    expect(rows).toEqual([
      {
        ...{ actor: 'command line', action: 'contact.change', subject: vin },
        details: { usdot, driver: { before: 'Ann Lee', after: '' } },
      },
    ]);
  });

  it('leave contact, notes, tags and report mails behind no more, when they change their carrier or their carrier goes', async () => {
    const { pool } = await signIn.database.open();
    const context = { databaseUrl: test.databaseUrl, now: test.now, env: {} };
    const silent = { stdout: () => undefined, stderr: () => undefined, signal: new AbortController().signal };
    const run = (argv: string[], text = '') =>
      runCommand(argv, { ...context, ...silent, stdin: Readable.from([text]) });
    const gone = '9000399';
    await test.store.carriers.upsert({ ...CARRIER, usdot: gone });
    const [byFile, byForm, left] = [toVin(61), toVin(62), toVin(63)];
    const keep = async (of: string, vin: string) => {
      await test.store.vehicles.upsertMany([{ usdot: of, vin }]);
      await pool.query(
        `INSERT INTO linehaul.unit_contacts (usdot, unit, driver, driver_phone, second_driver, second_driver_phone, dispatcher, dispatcher_phone, text, changed_ms)
         VALUES ($1, $2, 'Ann', '', '', '', '', '', '', 0)`,
        [of, vin],
      );
      await pool.query(`INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'moving', $2)`, [
        of,
        vin,
      ]);
      await pool.query(
        `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms) VALUES ($1, $2, 'Brakes', 'ann', 0)`,
        [of, vin],
      );
    };
    for (const vin of [byFile, byForm, left]) await keep(gone, vin);
    await keep(usdot, toVin(64));
    await pool.query(
      `INSERT INTO linehaul.report_mails (user_id, usdot, kind, unit, at_min, time_zone, weekdays, hours)
       VALUES ('u1', $1, 'miles', $2, 0, 'UTC', '{1}', 24)`,
      [gone, byFile],
    );
    const readKept = async (of: string) => {
      const tables = ['unit_contacts', 'unit_notes', 'unit_tags'];
      const kept = tables.map((table) => `SELECT unit FROM linehaul.${table} WHERE usdot = $1`);
      const { rows } = await pool.query(kept.join(' UNION ALL '), [of]);
      return rows.map(({ unit }) => unit as string).sort();
    };
    const kept = await readKept(usdot);
    expect(await run(['vehicles', 'import', '-', '--move'], `usdot,vin\n${usdot},${byFile}`)).toBe(0);
    expect(await run(['vehicles', 'add', byForm, '--usdot', usdot, '--move'])).toBe(0);
    expect(await readKept(gone)).toEqual([left, left, left]);
    expect((await pool.query('SELECT is_ending FROM linehaul.report_mails')).rows).toEqual([
      { is_ending: true },
    ]);
    expect(await run(['carriers', 'remove', gone, '--yes'])).toBe(0);
    expect(await readKept(gone)).toEqual([]);
    expect(await readKept(usdot)).toEqual(kept);
  });

  it('are exported to a file for fleets in scope', async () => {
    await expect(exportVehicles(limited, usdot)).rejects.toMatchObject({ code: 'unknown-fleet' });
    expect(await exportVehicles(all, usdot)).toMatch(
      /^\ufeffusdot,vin,truck_number,device_id,.*\r\n9000001,/,
    );
  });

  it('refuse a file that is no list of vehicles in a sentence', async () => {
    const pdf = Buffer.from('%PDF-1.7 …').toString('base64');
    const error: unknown = await importVehicles(all, { usdot, file: pdf, confirmed: null }).catch(
      (cause: unknown) => cause,
    );
    expect(toProblem(error)).toMatchObject({
      status: 400,
      detail: 'The file is a PDF. Save it as Excel Workbook (.xlsx) or as CSV.',
    });
  });

  it('creates and revokes ingest tokens for fleets in scope', async () => {
    const { id, token } = await createIngestToken(all, { usdot, name: 'phones' });
    expect((await listDevices(all, usdot)).tokens).toMatchObject([{ id, name: 'phones' }]);
    await expect(revokeIngestToken(limited, id)).rejects.toMatchObject({ code: 'unknown-credential' });
    await revokeIngestToken(all, id);
    expect(await test.store.ingestTokens.verify(token)).toBeNull();
    expect(actions()).toEqual([
      ['ingest-token.create', 'phones', '203.0.113.7'],
      ['ingest-token.revoke', 'phones', '203.0.113.7'],
    ]);
    expect(JSON.stringify(events)).not.toContain(token);
  });
});
