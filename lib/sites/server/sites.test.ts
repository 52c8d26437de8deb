import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SignIn } from '@/server/sign-in';
import type { Viewer } from '@/lib/base/viewer';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { MANAGER, createTestSignIn, toClient } from '@/testing/auth/sign-in';
import { MAX_SITES } from '../schema';
import type { SiteInput } from '@/lib/rules/site';
import { addSite, changeSite, importSites, listFleetSites, removeSite, type SiteContext } from './sites';

const USDOT = '9000001';
const BEN: Viewer = { ...MANAGER, id: 'b', name: 'Ben', email: 'ben@carrier.test', role: 'dispatcher' };
const YARD: SiteInput = {
  name: 'Yard Dallas',
  kind: 'yard',
  color: '#2f7de1',
  notes: 'Gate 4711',
  openingHours: {
    timeZone: 'America/Chicago',
    days: [{ weekdays: [1, 2, 3, 4, 5], fromMin: 480, toMin: 1020 }],
  },
  marginM: 75,
  shape: { type: 'circle', lat: 32.77815, lng: -96.7954, radiusM: 250 },
};
const CUSTOMER: SiteInput = {
  ...YARD,
  name: 'Customer',
  kind: 'customer',
  openingHours: null,
  shape: {
    type: 'polygon',
    corners: [
      [33, -97],
      [33, -96.99],
      [33.01, -96.99],
    ],
  },
};

let database: TestDatabase;
let app: SignIn;
let reloaded: string[];
/** The audit log cannot be emptied: the id of its last record before the test. */
let lastRecord: unknown;
let shared: Omit<SiteContext, 'viewer' | 'client'>;
beforeAll(async () => {
  database = await createTestDatabase();
  const created = createTestSignIn(database.databaseUrl);
  ({ app } = created);
  const watch = { reload: (usdot: string) => void reloaded.push(usdot) };
  shared = { ...app, clock: { nowMs: () => created.clock.nowMs }, watch, history: {} };
});
beforeEach(async () => {
  reloaded = [];
  await database.query('truncate linehaul.sites cascade');
  const [last] = await database.query('select coalesce(max(id), 0) as id from linehaul.audit_log');
  lastRecord = last!.id;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const by = (viewer: Viewer) => ({ ...shared, viewer, client: toClient() });
const list = async (viewer = BEN, usdot = USDOT) => (await listFleetSites(by(viewer), usdot)).sites;
const readAudit = () =>
  database.query('select actor, action, subject, details from linehaul.audit_log where id > $1 order by id', [
    lastRecord,
  ]);

it('a site is added, changed and removed, each with its audit record, and visits are judged by it from then on', async () => {
  const added = await addSite(by(BEN), USDOT, YARD);
  expect(await list()).toEqual([{ ...YARD, id: added.id }]);
  const change = { name: 'Yard', shape: { ...YARD.shape, radiusM: 300 } as SiteInput['shape'] };
  expect(await changeSite(by(BEN), USDOT, added.id, change)).toEqual({ ...YARD, ...change, id: added.id });
  // The same again is no change.
  await changeSite(by(BEN), USDOT, added.id, change);
  await removeSite(by(BEN), USDOT, added.id);
  expect(await list()).toEqual([]);
  const about = { actor: BEN.email };
  const shape = 'circle of 820 ft about 32.77815, -96.7954';
  expect(await readAudit()).toEqual([
    { ...about, action: 'site.add', subject: 'Yard Dallas', details: { usdot: USDOT, kind: 'yard', shape } },
    {
      ...about,
      action: 'site.change',
      subject: 'Yard',
      details: {
        usdot: USDOT,
        name: { before: 'Yard Dallas', after: 'Yard' },
        shape: { before: shape, after: 'circle of 984 ft about 32.77815, -96.7954' },
      },
    },
    {
      ...about,
      action: 'site.remove',
      subject: 'Yard',
      details: { usdot: USDOT, kind: 'yard', shape: 'circle of 984 ft about 32.77815, -96.7954' },
    },
  ]);
  expect(reloaded).toEqual([USDOT, USDOT, USDOT, USDOT]);
});

it('a site of another fleet can be neither read, changed nor removed, and its name is free', async () => {
  const { id } = await addSite(by(BEN), '9000002', YARD);
  expect(await list()).toEqual([]);
  await expect(changeSite(by(BEN), USDOT, id, { name: 'Mine' })).rejects.toMatchObject({
    code: 'unknown-site',
  });
  await expect(removeSite(by(BEN), USDOT, id)).rejects.toMatchObject({ code: 'unknown-site' });
  await addSite(by(BEN), USDOT, YARD);
  expect(await list(BEN, '9000002')).toEqual([{ ...YARD, id }]);
});

it('two sites of a fleet never have one name', async () => {
  await addSite(by(BEN), USDOT, YARD);
  const { id } = await addSite(by(BEN), USDOT, CUSTOMER);
  const taken = { code: 'site-name-taken' };
  await expect(addSite(by(BEN), USDOT, YARD)).rejects.toMatchObject(taken);
  await expect(changeSite(by(BEN), USDOT, id, { name: YARD.name })).rejects.toMatchObject(taken);
  const adds = [1, 2, 3].map(() => addSite(by(BEN), USDOT, { ...YARD, name: 'At once' }));
  const results = await Promise.allSettled(adds);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await list()).toHaveLength(3);
});

it('a change without its audit record is not made', async () => {
  const audit = { record: () => Promise.reject(new Error('full')) };
  await expect(addSite({ ...by(BEN), audit }, USDOT, YARD)).rejects.toThrow('full');
  expect(await list()).toEqual([]);
  expect(reloaded).toEqual([]);
});

it('an import changes the sites of its names, and leaves what it does not say', async () => {
  const known = await addSite(by(BEN), USDOT, YARD);
  const { shape } = YARD;
  const counts = await importSites(by(BEN), USDOT, [
    { name: YARD.name, shape, kind: 'other' },
    { name: 'New', shape, kind: 'noGo' },
  ]);
  expect(counts).toEqual({ added: 1, changed: 1, unchanged: 0 });
  const [changed, added] = await list();
  expect(changed).toEqual({ ...known, kind: 'other' });
  expect(added).toMatchObject({ name: 'New', color: '#d4483f', marginM: 75, notes: '', openingHours: null });
  const again = (await list()).map(({ id: _, ...site }) => site);
  expect(await importSites(by(BEN), USDOT, again)).toEqual({ added: 0, changed: 0, unchanged: 2 });
  expect((await readAudit()).map(({ action, details }) => [action, details])).toEqual([
    ['site.add', expect.anything()],
    ['site.import', { usdot: USDOT, ...counts }],
  ]);
});

it('an import beyond 5,000 sites changes nothing; one of 5,000 is stored at once', async () => {
  await addSite(by(BEN), USDOT, CUSTOMER);
  const many = Array.from({ length: MAX_SITES }, (_, i) => ({ name: `Site ${i}`, shape: CUSTOMER.shape }));
  await expect(importSites(by(BEN), USDOT, many)).rejects.toMatchObject({ code: 'too-many-sites' });
  expect(await list()).toHaveLength(1);
  await importSites(by(BEN), USDOT, many.slice(1));
  expect(await list()).toHaveLength(MAX_SITES);
  await expect(addSite(by(BEN), USDOT, YARD)).rejects.toMatchObject({ code: 'too-many-sites' });
});

it('the polygons of a fleet have at most 100,000 corners together', async () => {
  const corners = Array.from({ length: 500 }, (_, i): [number, number] => [
    35 + Math.sin((i * Math.PI) / 250) / 100,
    -101 + Math.cos((i * Math.PI) / 250) / 100,
  ]);
  const shape = { type: 'polygon' as const, corners };
  const many = Array.from({ length: 200 }, (_, i) => ({ name: `Site ${i}`, shape }));
  await importSites(by(BEN), USDOT, many);
  await expect(addSite(by(BEN), USDOT, CUSTOMER)).rejects.toMatchObject({ code: 'too-many-sites' });
  await addSite(by(BEN), USDOT, YARD);
});

it('a wall screen gets no notes', async () => {
  await addSite(by(BEN), USDOT, YARD);
  const screen: Viewer = { ...BEN, kind: 'screen' };
  expect((await list(screen)).map(({ notes }) => notes)).toEqual(['']);
});
