import { expect, it } from 'vitest';
import type { Viewer } from '@/lib/auth/viewer';
import { toOwner } from './storage';

const VIEWER: Viewer = {
  ...{ kind: 'user', id: 'dan', name: 'Dan', email: 'dan@carrier.test', role: 'dispatcher' },
  ...{ usdots: ['9000001'], tags: null },
};

it.each<[string, Partial<Viewer>]>([
  ['another role', { role: 'manager' }],
  ['other fleets', { usdots: null }],
  ['fewer units', { tags: ['flatbeds'] }],
])('the copies of a viewer are not those of the same one with %s', (_, change) => {
  expect(toOwner({ ...VIEWER, ...change })).not.toBe(toOwner(VIEWER));
});
