import { expect, it } from 'vitest';
import { expiryText, fleetsText, linkMailText, madeItemText, madeMailText, splitUsdots } from './text';

it('names the fleets in a user’s scope, and none is not all', () => {
  expect(fleetsText(null)).toBe('All fleets');
  expect(fleetsText([])).toBe('No fleet');
  expect(fleetsText(['12', '345'])).toBe('USDOT 12, 345');
});

it('splits USDOT numbers with any separator, and leaves validation to the server', () => {
  expect(splitUsdots(' 12,345; 6\n78x ')).toEqual(['12', '345', '6', '78x']);
  expect(splitUsdots(' , ')).toEqual([]);
});

it('shows until when an invitation is valid, or since when it has expired', () => {
  const nowMs = Date.UTC(2026, 10, 21, 14, 3);
  expect(expiryText(nowMs + 7 * 86_400_000, nowMs, 'UTC')).toBe('until Nov 28, 2:03 PM');
  expect(expiryText(nowMs - 60_000, nowMs, 'UTC')).toBe('expired 2:02 PM');
});

it('names each created item by kind, name and fleets', () => {
  const item = { kind: 'wall-screen', id: 's1', name: 'Yard', usdots: null, isReplacedPair: false } as const;
  expect(madeItemText(item)).toBe('Wall screen “Yard”, all fleets');
  expect(madeItemText({ ...item, kind: 'ingest-token', usdots: ['12'] })).toBe(
    'Ingest token “Yard”, USDOT 12',
  );
  expect(madeItemText({ ...item, kind: 'api-key', usdots: ['12'], isReplacedPair: true })).toBe(
    'API key “Yard”, USDOT 12: the secrets it had before',
  );
});

it('says what became of the e-mail with a link, with the reason of the mail server', () => {
  const [deferred, refused] = ['451 4.7.1 Try again later', '550 5.1.1 User unknown'];
  expect(linkMailText({ mail: 'none', mailProblem: null })).toBeNull();
  expect(linkMailText({ mail: 'sent', mailProblem: null })).toBe('E-mail sent');
  expect(linkMailText({ mail: 'retrying', mailProblem: deferred })).toBe(
    `E-mail not sent yet, will be tried again: ${deferred}`,
  );
  expect(linkMailText({ mail: 'failed', mailProblem: refused })).toBe(`E-mail failed: ${refused}`);
  const made = { email: 'bob@carrier.test', link: '/join#x', expiresAtMs: 0 };
  expect(madeMailText({ ...made, mail: 'sent', mailProblem: null })).toMatch(
    /was e-mailed to bob@carrier.test/,
  );
  expect(madeMailText({ ...made, mail: 'retrying', mailProblem: deferred })).toMatch(
    /451.*will be tried again/,
  );
  expect(madeMailText({ ...made, mail: 'failed', mailProblem: refused })).toMatch(
    /failed \(550.*Pass the link on/,
  );
  expect(madeMailText({ ...made, mail: 'none', mailProblem: null })).toMatch(
    /^Pass it on to bob@carrier.test/,
  );
});
