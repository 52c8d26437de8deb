import 'server-only';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The sizes of NIST SP 800-38D, 8.2 and 5.2.1.2. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

const FLEET_SOURCE = 'linehaul fleet source';

/** A key of its own for each purpose, so that sealed texts and signed sessions share none. RFC 5869. */
export const toKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));

/** The text, encrypted and authenticated with AES-256-GCM by a key that is derived from `secret`, as base64url. */
export const seal = (text: string, secret: string, purpose = FLEET_SOURCE): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, toKey(secret, purpose), iv, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

/** The text of `seal`. @throws Error if it was sealed with another secret or for another purpose, or changed since. */
export const unseal = (sealed: string, secret: string, purpose = FLEET_SOURCE): string => {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, toKey(secret, purpose), iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
};
