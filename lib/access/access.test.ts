import { expect, it } from 'vitest';
import { toClient } from '@/testing/auth/sign-in';
import type { AppError } from '@/lib/base/http/problems';
import type { Viewer } from '@/lib/base/viewer';
import { requireAccess, type SignedInAccess, type Authenticated } from './access';

const OWN = '9000001';
const OTHER = '9000002';
const ACCESSES: SignedInAccess[] = ['viewer', 'map', 'units', 'fleet', 'manager', 'account'];

const user: Viewer = {
  kind: 'user',
  id: 'u',
  name: 'Ann',
  email: 'ann@carrier.test',
  role: 'dispatcher',
  usdots: [OWN],
  tags: null,
};
const manager: Viewer = { ...user, role: 'manager', usdots: null };
const screen: Viewer = { ...user, kind: 'screen', id: 's', email: null };
const demo: Viewer = { ...manager, kind: 'demo', id: null, email: null };

const judge = (signedIn: Partial<Authenticated> | null, usdot: string) =>
  Promise.all(
    ACCESSES.map((access) =>
      requireAccess(
        {
          hasFleet: () => true,
          database: null as never,
          auth: {
            authenticate: async () =>
              signedIn && ({ sessionId: 'x', needsSecondFactor: false, ...signedIn } as Authenticated),
          },
        },
        toClient(),
        access,
        { usdot },
      ).then(
        () => 'let in',
        (error: AppError) => error.code,
      ),
    ),
  );

it.each<[string, Partial<Authenticated> | null, string, string[]]>([
  // The viewer, the fleet in the request, and the results for the accesses viewer, map, units, fleet,
  // manager, account.
  ['a client without a session', null, OWN, Array<string>(6).fill('sign-in-needed')],
  [
    'a dispatcher',
    { viewer: user },
    OWN,
    ['let in', 'let in', 'let in', 'let in', 'managers-only', 'let in'],
  ],
  [
    'a dispatcher of some units',
    { viewer: { ...user, tags: ['flatbeds'] } },
    OWN,
    ['let in', 'let in', 'let in', 'whole-fleet-only', 'managers-only', 'let in'],
  ],
  [
    'one of another fleet',
    { viewer: user },
    OTHER,
    ['let in', 'unknown-fleet', 'unknown-fleet', 'unknown-fleet', 'managers-only', 'let in'],
  ],
  ['a manager', { viewer: manager }, OWN, Array<string>(6).fill('let in')],
  [
    'a manager who lacks a second factor',
    { viewer: manager, needsSecondFactor: true },
    OWN,
    [...Array<string>(5).fill('second-factor-needed'), 'let in'],
  ],
  [
    'a wall screen',
    { viewer: screen },
    OWN,
    ['let in', 'let in', 'not-for-screens', 'not-for-screens', 'managers-only', 'managers-only'],
  ],
  // A wall screen must not learn which fleets exist.
  [
    'a wall screen of another fleet',
    { viewer: screen },
    OTHER,
    ['let in', 'unknown-fleet', 'not-for-screens', 'not-for-screens', 'managers-only', 'managers-only'],
  ],
  ['the demo', { viewer: demo }, OWN, ['let in', 'let in', 'let in', 'let in', 'let in', 'managers-only']],
])('%s gets as far as they may', async (_, signedIn, usdot, expected) => {
  expect(await judge(signedIn, usdot)).toEqual(expected);
});
