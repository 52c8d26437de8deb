import { NO_ACTOR } from '@/lib/audit/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignIn } from '@/server/sign-in';
import { createTestSignIn, usersOf } from '@/testing/auth/sign-in';
import type { AuditEntry } from '@/lib/audit/schema';
import type { Viewer } from '@/lib/base/viewer';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { listAuditLog, toAuditCsv } from './audit-reader';

const OWN = '9000001';
const FOREIGN = '9000003';
const FOREIGN_ADDRESS = '198.51.100.77';
const OWN_ADDRESS = '203.0.113.9';

let database: TestDatabase;
let app: SignIn;
let full: Viewer;
let limited: Viewer;
let narrowed: Viewer;
let within: Viewer;
let outside: Viewer;

const make = async (
  name: string,
  role: 'dispatcher' | 'manager',
  usdots: string[] | null,
): Promise<Viewer> => {
  const email = `${name}@carrier.test`;
  const { id } = await usersOf(app).create({ name, email, role, usdots, password: null });
  return { kind: 'user', id, name, email, role, usdots, tags: null };
};

const byFull = () => ({ viewer: full, client: { address: FOREIGN_ADDRESS } });
const byNarrowed = () => ({ viewer: narrowed, client: { address: OWN_ADDRESS } });
const withdrawAll = async (email: string): Promise<void> => {
  const { invitations } = await app.users.list(full);
  for (const invitation of invitations)
    if (invitation.email === email) await app.users.withdraw(invitation.id, byNarrowed());
};
const INVITE = { role: 'dispatcher', days: 7, tags: null } as const;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ app } = createTestSignIn(database.databaseUrl));
  full = await make('full', 'manager', null);
  limited = await make('limited', 'manager', [OWN]);
  narrowed = await make('narrowed', 'manager', null);
  within = await make('within', 'dispatcher', [OWN, FOREIGN]);
  outside = await make('outside', 'manager', [FOREIGN]);

  // By a manager outside the scope, on a user within the scope.
  const { users } = app;
  await users.change(within.id!, { usdots: [OWN] }, byFull());
  await app.audit.record({ by: null, action: 'sign-in', subject: within.email!, address: OWN_ADDRESS });
  // By a manager of all fleets whose scope is reduced afterwards.
  await users.invite({ ...INVITE, email: 'guest@foreign.test', usdots: [FOREIGN] }, byNarrowed());
  await users.invite({ ...INVITE, email: 'anyone@foreign.test', usdots: null }, byNarrowed());
  await withdrawAll('anyone@foreign.test');
  await users.invite({ ...INVITE, email: 'guest@own.test', usdots: [OWN] }, byNarrowed());
  await users.makeReset(outside.id!, byNarrowed());
  for (const usdot of [FOREIGN, OWN]) {
    const details = { usdot, vin: `VIN of ${usdot}`, deviceId: 'phone' };
    const subject = `truck of ${usdot}`;
    await app.audit.record({
      by: narrowed,
      action: 'vehicle.add',
      subject,
      address: OWN_ADDRESS,
      details,
    });
  }
  await app.audit.record({
    by: narrowed,
    action: 'audit.export',
    address: OWN_ADDRESS,
    details: { who: outside.email },
  });
  await users.change(narrowed.id!, { usdots: [OWN] }, byFull());
  // Replaces an invitation of a manager outside the scope.
  await users.invite({ ...INVITE, email: 'second@own.test', usdots: [OWN] }, byFull());
  await users.invite({ ...INVITE, email: 'second@own.test', usdots: [OWN] }, byNarrowed());
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const read = (viewer: Viewer, filter = {}): Promise<AuditEntry[]> =>
  listAuditLog(app, viewer, filter, { limit: 100 });
const subjectsOf = async (who: string) => (await read(limited, { who })).map(({ subject }) => subject);

const expectNothingForeign = (text: string): void => {
  for (const foreign of [FOREIGN, FOREIGN_ADDRESS, full.email!, outside.email!, 'foreign.test'])
    expect(text).not.toContain(foreign);
};

describe('the audit log of a manager of some fleets', () => {
  it('hides addresses of managers outside its scope and all other USDOT numbers, also in the CSV file', async () => {
    const lines = await read(limited);
    expect(lines.length).toBeGreaterThan(9);
    expectNothingForeign(JSON.stringify(lines));
    let csv = '';
    for await (const piece of toAuditCsv((page) => listAuditLog(app, limited, {}, page))) csv += piece;
    expect(csv.split('\r\n')).toHaveLength(lines.length + 2);
    expectNothingForeign(csv);
  });

  it('shows what another manager changed on its own users', async () => {
    const [line] = await read(limited, { who: within.email!, action: 'user.change' });
    expect(line).toMatchObject({
      actor: 'another manager',
      actorId: null,
      subject: within.email,
      address: 'hidden',
      details: { usdots: { before: [OWN, 'hidden'], after: [OWN] } },
    });
  });

  it('shows entries of its own fleets unchanged', async () => {
    const own = { actor: narrowed.email, address: OWN_ADDRESS };
    const lines = await read(limited, { who: narrowed.email! });
    expect(lines).toContainEqual(expect.objectContaining({ ...own, subject: 'guest@own.test' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ ...own, details: { usdot: OWN, vin: `VIN of ${OWN}`, deviceId: 'phone' } }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ ...own, subject: 'hidden', details: { usdot: 'hidden' } }),
    );
    const [signIn] = await read(limited, { who: within.email!, action: 'sign-in' });
    expect(signIn).toMatchObject({ actor: NO_ACTOR, address: OWN_ADDRESS });
  });

  it('returns no entry for a search by a hidden name', async () => {
    for (const hidden of [full.email!, outside.email!, 'foreign.test', `truck of ${FOREIGN}`])
      expect(await subjectsOf(hidden)).toEqual([]);
    expect(await subjectsOf(`truck of ${OWN}`)).toEqual([`truck of ${OWN}`]);
  });

  it('is complete for a viewer who sees all fleets', async () => {
    const text = JSON.stringify(await read(full));
    for (const shown of [FOREIGN, FOREIGN_ADDRESS, full.email!, outside.email!, 'anyone@foreign.test'])
      expect(text).toContain(shown);
    expect(text).not.toContain('"hidden"');
  });
});
