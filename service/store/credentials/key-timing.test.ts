import type * as crypto from 'node:crypto';
import { beforeAll, expect, it, vi } from 'vitest';
import { createTestStore } from '../../../testing/service/store';
import { CARRIER } from '../../../testing/service/vehicles';
import type { IssuedKey } from './keys';

/** The lengths of the values that were compared in constant time. */
const compared = vi.hoisted((): [number, number][] => []);

vi.mock('node:crypto', async (original) => {
  const actual = await original<typeof crypto>();
  const timingSafeEqual: typeof actual.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength]);
    return actual.timingSafeEqual(a, b);
  };
  return { ...actual, timingSafeEqual };
});

const test = createTestStore();
let key: IssuedKey;
beforeAll(async () => {
  await test.store.carriers.upsert(CARRIER);
  key = await test.store.keys.create({ usdot: CARRIER.usdot, name: 'dispatch' });
});

/** Another in its place, the first or the last character changed. */
const differ = (secret: string, at: number): string =>
  secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1);
const firstOf = (secret: string): string => differ(secret, secret.lastIndexOf('_', 12) + 1);
const lastOf = (secret: string): string => differ(secret, secret.length - 1);

it('both halves of a key are compared whole, whichever of them is wrong and wherever, known or not', async () => {
  const { apiKey, providerToken } = key;
  const guesses: [apiKey: string, providerToken: string][] = [
    [firstOf(apiKey), providerToken],
    [lastOf(apiKey), providerToken],
    [apiKey, firstOf(providerToken)],
    [apiKey, lastOf(providerToken)],
    [lastOf(apiKey), lastOf(providerToken)],
    [`lh_key_${'A'.repeat(43)}`, `lh_provider_${'A'.repeat(43)}`],
  ];
  const hashes: [number, number][] = [
    [32, 32],
    [32, 32],
  ];
  for (const guess of guesses) {
    compared.length = 0;
    expect(await test.store.keys.verify(...guess), guess.join()).toBeNull();
    expect(compared, guess.join()).toEqual(hashes);
  }
  compared.length = 0;
  expect(await test.store.keys.verify(apiKey, providerToken)).toMatchObject({ id: key.id });
  expect(compared).toEqual(hashes);
});
