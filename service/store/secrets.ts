import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/**
 * A new secret of 256 random bits, base64url behind a prefix that tells a reader what it is.
 * So much entropy cannot be guessed, which is why a plain SHA-256 of it is safe to store.
 */
export const createSecret = (prefix: string): string =>
  prefix + randomBytes(SECRET_BYTES).toString('base64url');

export const createId = (): string => randomBytes(8).toString('hex');

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compares two SHA-256 hashes in constant time. */
export const isSameHash = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b);

/** A hash that no secret has: what an unknown key is compared with, so that it costs the same time. */
export const createDecoyHash = (): Buffer => randomBytes(32);
