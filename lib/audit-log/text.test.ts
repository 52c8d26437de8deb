import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '@/lib/audit/schema';
import { actionText, dayStartMs, detailText } from './text';

it('has a label of its own for every action that is written', () => {
  const labels = Object.values(AUDIT_ACTIONS);
  for (const label of labels) expect(label).toMatch(/^[A-Z][a-zA-Z, ]+$/);
  expect(new Set(labels).size).toBe(labels.length);
});

it('labels each action, and shows an unknown action by its raw name', () => {
  expect(actionText('user.disable')).toBe('Disabled a user');
  expect(actionText('constructor')).toBe('constructor');
  expect(actionText('something.new')).toBe('something.new');
});

it('shows each change with its old and new value', () => {
  const nowMs = Date.UTC(2026, 10, 21, 18);
  const words = (details: Record<string, unknown> | null) => detailText(details, nowMs);
  expect(
    words({
      role: { before: 'dispatcher', after: 'manager' },
      usdots: { before: ['1', '2'], after: null },
      deviceId: { before: 'phone 1', after: null },
    }),
  ).toEqual(['role: dispatcher → manager', 'fleets: 1, 2 → all', 'device: phone 1 → none']);
  expect(words({ days: 7, usdots: [] })).toEqual(['days: 7', 'fleets: none']);
  expect(words({ id: 'k_1', overlapMs: 7_200_000, requestsPerMinute: 60 })).toEqual([
    'old secrets work on for: 2 h',
    'requests a minute: 60',
  ]);
  const threshold = { enterMs: 0, leaveMs: 60_000, enterAnswers: 2, leaveAnswers: 1 };
  expect(
    words({
      isSecondFactorRequired: { before: false, after: true },
      wrongCarrier: { before: 'preset', after: threshold },
    }),
  ).toEqual([
    'second factor of managers: not needed → needed',
    'flag “Check lease”: preset → raised after 2 answers, then at once, cleared after 1 minute',
  ]);
  const [expires] = words({ expiresAtMs: nowMs + 40 * 86_400_000 });
  expect(expires).toMatch(/^expires: Dec 31, /);
  expect(words(null)).toEqual([]);
});

it('reads a day as its first local instant, and adds one day for an inclusive end', () => {
  expect(dayStartMs('2026-03-08')).toBe(new Date(2026, 2, 8).getTime());
  expect(dayStartMs('2026-03-31', 1)).toBe(new Date(2026, 3, 1).getTime());
  expect(dayStartMs('')).toBeUndefined();
  expect(dayStartMs('0099-01-01')).toBeUndefined();
});
