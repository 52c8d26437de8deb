import { expect, it } from 'vitest';
import { seal, unseal } from './sealed';

const SECRET = 'a secret that is not in the database';

it('gives back what was sealed, which the sealed text does not show', () => {
  const sealed = seal('planted-key', SECRET);
  expect(unseal(sealed, SECRET)).toBe('planted-key');
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('planted-key');
});

it('never seals one text the same way twice', () => {
  expect(seal('planted-key', SECRET)).not.toBe(seal('planted-key', SECRET));
});

it('refuses another secret, and a text that was changed', () => {
  const sealed = seal('planted-key', SECRET);
  expect(() => unseal(sealed, `${SECRET}.`)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  expect(() => unseal(bytes.toString('base64url'), SECRET)).toThrow();
  expect(() => unseal('', SECRET)).toThrow();
});
