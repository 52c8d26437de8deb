import { expect, it } from 'vitest';
import { createSecretStrike, strikeSecrets } from './strike-secrets';

const SECRETS = ['planted-key-77', 'planted-token-88'];

it('strikes each secret wherever it stands', () => {
  expect(strikeSecrets('{"make":"planted-key-77","x":"(planted-token-88)"}', SECRETS)).toBe(
    '{"make":"[hidden]","x":"([hidden])"}',
  );
});

it('finds a secret however the text is cut, and loses nothing else', () => {
  const text = 'planted-planted-key-77planted-token-8 planted-token-88 plant';
  for (let piece = 1; piece < text.length; piece++) {
    const { push, end } = createSecretStrike(SECRETS);
    let struck = '';
    for (let i = 0; i < text.length; i += piece) struck += push(text.slice(i, i + piece));
    expect(struck + end(), `in pieces of ${piece}`).toBe('planted-[hidden]planted-token-8 [hidden] plant');
  }
});

it('leaves words alone that are too short to be secrets', () => {
  expect(strikeSecrets('{"fuelType":"none"}', ['none'])).toBe('{"fuelType":"none"}');
});
