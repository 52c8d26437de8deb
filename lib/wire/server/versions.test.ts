import { expect, it } from 'vitest';
import { createEpoch, isAtLeast } from './versions';

const AT_MS = Date.UTC(2026, 10, 25);

it('orders the versions of an epoch by number, and of two by their time', () => {
  const [earlier, later] = [createEpoch(AT_MS, 0.9), createEpoch(AT_MS + 1, 0.1)];
  expect(isAtLeast(`${earlier}.10`, `${earlier}.9`)).toBe(true);
  expect(isAtLeast(`${earlier}.9`, `${earlier}.9`)).toBe(true);
  expect(isAtLeast(`${earlier}.9`, `${earlier}.10`)).toBe(false);
  expect(isAtLeast(`${later}.1`, `${earlier}.99`)).toBe(true);
  expect(isAtLeast(`${earlier}.99`, `${later}.1`)).toBe(false);
  // Of no server; it would come later by its letters.
  expect(isAtLeast('unknown.1', `${earlier}.1`)).toBe(false);
});

it('has no order for two epochs of one moment', () => {
  const [one, other] = [createEpoch(AT_MS, 0.1), createEpoch(AT_MS, 0.9)];
  expect(isAtLeast(`${one}.1`, `${other}.1`)).toBe(false);
  expect(isAtLeast(`${other}.1`, `${one}.1`)).toBe(false);
});
