import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonRedactor, createSecretRedactor, redactSecrets } from './redact-secrets';

const SECRETS = ['planted-key-77', 'planted-token-88'];

it('redacts each secret at any position', () => {
  expect(redactSecrets('{"make":"planted-key-77","x":"(planted-token-88)"}', SECRETS)).toBe(
    '{"make":"[hidden]","x":"([hidden])"}',
  );
});

it('finds a secret however the text is split, and loses nothing else', () => {
  const text = 'planted-planted-key-77planted-token-8 planted-token-88 plant';
  for (let piece = 1; piece < text.length; piece++) {
    const { push, end } = createSecretRedactor(SECRETS);
    let struck = '';
    for (let i = 0; i < text.length; i += piece) struck += push(text.slice(i, i + piece));
    expect(struck + end(), `in pieces of ${piece}`).toBe('planted-[hidden]planted-token-8 [hidden] plant');
  }
});

it('keeps words that are too short to be secrets', () => {
  expect(redactSecrets('{"fuelType":"none"}', ['none'])).toBe('{"fuelType":"none"}');
});

it('redacts a percent-encoded secret', () => {
  expect(redactSecrets('/x?key=planted%2Fkey%2B77', ['planted/key+77'])).toBe('/x?key=[hidden]');
});

const SECRET = 'planted/key+77~?éÿ>';
/** The secret between other bytes, so that it begins at each of the three positions in a group of base64. */
const toEncoded = (encoding: 'base64' | 'base64url'): string[] =>
  ['', 'u', 'u:', 'usr'].flatMap((before) =>
    ['', ' ', ' x', ' xy'].map((after) => Buffer.from(`${before}${SECRET}${after}`).toString(encoding)),
  );

it.each(['base64', 'base64url'] as const)('redacts a secret in %s, wherever it begins', (encoding) => {
  for (const encoded of toEncoded(encoding)) {
    for (const text of [encoded, encoded.replace(/=+$/, '')]) {
      const redacted = redactSecrets(`a ${text} b`, [SECRET]);
      expect(redacted).toMatch(/^a [\w+/-]{0,4}\[hidden\][\w+/-]{0,6}={0,2} b$/);
      expect(createJsonRedactor([SECRET])(`a ${text} b`)).toBe(redacted);
      const { push, end } = createSecretRedactor([SECRET]);
      expect([...`a ${text} b`].map(push).join('') + end()).toBe(redacted);
    }
  }
});

it('redacts values and names of fields in parsed JSON at any depth, and changes nothing else', () => {
  const redact = createJsonRedactor(SECRETS);
  const json: unknown = JSON.parse(
    '{"a":[1,null,true,{"planted-key-77":"x planted-token-88"}],"__proto__":"planted-key-77","b":"plain"}',
  );
  expect(JSON.stringify(redact(json))).toBe(
    '{"a":[1,null,true,{"[hidden]":"x [hidden]"}],"__proto__":"[hidden]","b":"plain"}',
  );
  const deep = `${'['.repeat(50_000)}"planted-key-77"${']'.repeat(50_000)}`;
  expect(redact(JSON.parse(deep))).toBeInstanceOf(Array);
});

it('redacts a secret however JSON escapes its characters', () => {
  const secret = 'planted/key"77\\x';
  const redact = createJsonRedactor([secret]);
  const toEscaped = (character: string, form: number): string => {
    const unicode = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    if (form === 0) return JSON.stringify(character).slice(1, -1);
    return form === 1 && '/"\\'.includes(character) ? `\\${character}` : unicode;
  };
  const forms = fc.array(fc.nat(2), { minLength: secret.length, maxLength: secret.length });
  fc.assert(
    fc.property(forms, (chosen) => {
      const text = [...secret].map((character, i) => toEscaped(character, chosen[i]!)).join('');
      expect(redact(JSON.parse(`["a ${text} b"]`))).toEqual(['a [hidden] b']);
    }),
  );
});
