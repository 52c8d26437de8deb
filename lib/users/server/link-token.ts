import 'server-only';
import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** The random token of a link, which cannot be derived from its stored hash. */
export const createLinkToken = (): string => randomBytes(BYTES).toString('base64url');

/** The stored hash of a link token: SHA-256. Only passwords need a slow hash. */
export const toTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
