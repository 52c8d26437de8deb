import { describe, expect, it } from 'vitest';
import type { ApiKey } from '@/lib/api-keys/schema';
import { accessText, toKeyState } from './key-text';

const NOW_MS = new Date(2026, 2, 5, 15, 0).getTime();
const UNLIMITED = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
const KEY: ApiKey = {
  id: '1',
  usdot: '9000001',
  name: 'yard',
  prefix: 'lh_key_abcdef',
  createdBy: null,
  createdAtMs: 0,
  lastUsedAtMs: null,
  revokedAtMs: null,
  access: UNLIMITED,
  replaced: null,
};

describe('accessText', () => {
  it('lists each limit, or that there is none', () => {
    expect(accessText(UNLIMITED, NOW_MS)).toEqual(['No limits']);
    const access = {
      endpoints: ['units' as const, 'carrier' as const],
      allowedNetworks: ['203.0.113.0/24'],
      requestsPerMinute: 60,
      expiresAtMs: NOW_MS + 3_600_000,
    };
    expect(accessText(access, NOW_MS)).toEqual([
      'All active units, The carrier of the key',
      'From 203.0.113.0/24',
      '60 requests per minute',
      'Until 4:00 PM',
    ]);
  });
});

describe('toKeyState', () => {
  it.each([
    [{}, { label: 'In use', more: null, isUsable: true }],
    [{ revokedAtMs: NOW_MS }, { label: 'Revoked', more: '3:00 PM', isUsable: false }],
    [
      { access: { ...UNLIMITED, expiresAtMs: NOW_MS } },
      { label: 'Expired', more: '3:00 PM', isUsable: false },
    ],
    [
      { replaced: { prefix: null, endsAtMs: NOW_MS + 60_000, lastUsedAtMs: null } },
      { label: 'Rotated', more: 'Old secrets work until 3:01 PM, not used', isUsable: true },
    ],
  ])('of %j', (given, state) => {
    expect(toKeyState({ ...KEY, ...given }, NOW_MS)).toEqual(state);
  });
});
