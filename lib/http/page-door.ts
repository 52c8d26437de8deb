import 'server-only';
import { randomBytes } from 'node:crypto';
import { parseEnv } from '../config/env';
import { once } from '../ops/once';
import { toProblemResponse } from './respond';
import { readDoor } from './door';
import { toPagePolicy } from './page-policy';

/** Under which a page reads its nonce, and Next.js the policy that it is part of. */
export const NONCE_HEADER = 'x-nonce';
/** Under which a page reads its own path and query, to come back to it after signing in. */
export const PATH_HEADER = 'x-asked-path';
/** Next.js adds it to what it fetches of a page. */
const FETCHED_PART = '_rsc';
const POLICY_HEADER = 'content-security-policy';
const PAGE_METHODS = new Set(['GET', 'HEAD']);

const readTilesUrl = (): string | null => once('tiles', () => parseEnv(process.env).tiles)?.url ?? null;

const toText = (status: number, words: string, headers: Record<string, string>): Response =>
  new Response(`${words}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

/** A refusal in words: whoever asks for a page is a person. */
export const toPageRefusal = (error: unknown): Response => {
  const { status, headers } = toProblemResponse(error);
  const retryAfter = headers.get('retry-after');
  const words: Record<number, string> = {
    403: 'Only pages of this server may ask for that.',
    414: 'No address of this server is that long.',
    429: `This network address asks for more than its share. Try again in ${retryAfter} s.`,
  };
  return toText(
    status,
    words[status] ?? 'This page cannot be shown.',
    retryAfter === null ? {} : { 'retry-after': retryAfter },
  );
};

const toAskedPath = (url: string): string => {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete(FETCHED_PART);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
};

/** What becomes of a request for a page: its headers from here on and those of its answer, or a refusal. */
export const admitPage = (
  request: Request,
): { refusal: Response } | { refusal: null; requestHeaders: Headers; answerHeaders: Headers } => {
  try {
    readDoor().admit(request);
  } catch (error) {
    return { refusal: toPageRefusal(error) };
  }
  if (!PAGE_METHODS.has(request.method)) {
    return { refusal: toText(405, 'Pages are read, not written to.', { allow: 'GET, HEAD' }) };
  }
  const nonce = randomBytes(16).toString('base64');
  const isDevelopment = process.env.NODE_ENV === 'development';
  const policy = toPagePolicy({ nonce, tilesUrl: readTilesUrl(), isDevelopment });
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set(NONCE_HEADER, nonce);
  requestHeaders.set(PATH_HEADER, toAskedPath(request.url));
  requestHeaders.set(POLICY_HEADER, policy);
  const answerHeaders = new Headers({ [POLICY_HEADER]: policy });
  return { refusal: null, requestHeaders, answerHeaders };
};
