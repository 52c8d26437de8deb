import 'server-only';
import { createHash, createHmac } from 'node:crypto';
import { toKey } from '@/lib/base/sealed';

/** 160 bits. */
const TOKEN_BYTES = 20;
const TOKEN = /^[\w-]{27}$/;

/** The token of a link, which only this installation can derive: it is not stored. */
export const deriveToken = (secret: string, { id, nonce }: { id: string; nonce: string }): string =>
  createHmac('sha256', toKey(secret, 'linehaul share links'))
    .update(`${id} ${nonce}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');

/** The stored form of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => TOKEN.test(text);
