import { expect, it } from 'vitest';
import { expiryWords, fleetsWords, madeItemText, splitUsdots } from './text';

it('says which fleets somebody sees, and none is not all', () => {
  expect(fleetsWords(null)).toBe('All fleets');
  expect(fleetsWords([])).toBe('No fleet');
  expect(fleetsWords(['12', '345'])).toBe('USDOT 12, 345');
});

it('takes USDOT numbers however they were typed, and leaves to the server what is none', () => {
  expect(splitUsdots(' 12,345; 6\n78x ')).toEqual(['12', '345', '6', '78x']);
  expect(splitUsdots(' , ')).toEqual([]);
});

it('says until when an invitation holds, or since when it does not', () => {
  const nowMs = Date.UTC(2026, 10, 21, 14, 3);
  expect(expiryWords(nowMs + 7 * 86_400_000, nowMs, 'UTC')).toBe('until Nov 28, 14:03');
  expect(expiryWords(nowMs - 60_000, nowMs, 'UTC')).toBe('expired 14:02');
});

it('names what a user made by its kind, its name and its fleets', () => {
  const item = { kind: 'wall-screen', id: 's1', name: 'Yard', usdots: null, isReplacedPair: false } as const;
  expect(madeItemText(item)).toBe('Wall screen “Yard”, all fleets');
  expect(madeItemText({ ...item, kind: 'ingest-token', usdots: ['12'] })).toBe(
    'Ingest token “Yard”, USDOT 12',
  );
  expect(madeItemText({ ...item, kind: 'api-key', usdots: ['12'], isReplacedPair: true })).toBe(
    'API key “Yard”, USDOT 12: the secrets it had before',
  );
});
