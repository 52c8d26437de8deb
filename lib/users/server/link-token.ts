import 'server-only';
import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** What a link bears: nobody guesses it, and from what is kept of it nobody makes it. */
export const createLinkToken = (): string => randomBytes(BYTES).toString('base64url');

/** What is kept of a link's token: its SHA-256. A slow hash is for what people think up. */
export const toTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
