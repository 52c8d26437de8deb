import { expect, it } from 'vitest';
import { redactSecrets } from './credential-text';

it.each([
  ['a key', 'got lh_key_aB3-x9 for it', 'got [hidden] for it'],
  ['a truncated token', 'token lh_ingest_4f…', 'token [hidden]…'],
  ['a key in a URL', '/ingest/lh%5fingest%5f4fZ9/owntracks', '/ingest/[hidden]/owntracks'],
  ['a key in base64', `Basic ${Buffer.from('lh_key_aB3x9Qw2Zt').toString('base64')}`, 'Basic [hidden]'],
])('hides %s', (_, line, redacted) => {
  expect(redactSecrets(line)).toBe(redacted);
});

it('leaves other text as it is', () => {
  expect(redactSecrets('USDOT 9000001 answered with 200.')).toBe('USDOT 9000001 answered with 200.');
});
