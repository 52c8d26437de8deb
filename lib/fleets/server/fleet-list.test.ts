import { expect, it } from 'vitest';
import { readLastFleet } from './fleet-list';
import { MANAGER } from '@/testing/auth/sign-in';

type Source = Parameters<typeof readLastFleet>[0];

const source = (homeUsdot: string | null, known: readonly string[]): Source =>
  ({
    env: { homeUsdot },
    hasFleet: (usdot: string) => known.includes(usdot),
    peekAccounts: () => [],
  }) as unknown as Source;

it.each([
  ['the fleet that was shown last', '2', '1', null, '2'],
  ['the first fleet where none was shown', null, '1', null, '1'],
  ['the first fleet where the last one is gone', '9', '1', null, '1'],
  ['a fleet within the limits of the viewer', '1', '1', ['3', '2'], '3'],
  ['none where the server does not know its carrier yet', null, null, null, null],
] as const)('a page that belongs to no fleet has the bar of %s', (_, last, home, usdots, expected) => {
  const viewer = { ...MANAGER, usdots: usdots === null ? null : [...usdots] };
  expect(readLastFleet(source(home, ['1', '2', '3']), viewer, last)).toBe(expected);
});
