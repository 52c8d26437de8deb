import 'server-only';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toPagePolicy } from '@/lib/base/http/headers';
import { type RequestContext, readRuntime } from '@/server/runtime';
import { toProblemResponse } from '@/lib/access/respond';
import { readHome } from '@/lib/fleets/server/fleet-list';
import { requireAccess } from '@/lib/access/access';
import { isAppError } from '@/lib/base/http/problems';
import { toClient } from '@/server/route';
import { readStartSearch } from '@/lib/views/server/views';
import { toHeaders } from './fast-path';

const POLICY_HEADER = 'content-security-policy';
const PAGE_METHODS = new Set(['GET', 'HEAD']);
/** Whether the path is a page of the application: files and route handlers run no scripts, or have a policy of their own. */
const PAGE =
  /^\/(?!api\/|tracking\/|metrics(?:\?|$)|_next\/|basemap\/|places\/|icons\/|icon[.]svg|apple-icon[.]png|manifest[.]webmanifest|service-worker[.]js(?:\?|$)|d\/|p\/|verify(?:\?|$)|[.]well-known\/)/;

export const isPage = (target: string): boolean => PAGE.test(target);

/** Whether a document of the start page is requested; the router's own requests follow a redirect. */
export const isStartPage = ({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' && /^\/(?:\?|$)/.test(url) && headers.rsc === undefined;

const toText = (status: number, text: string, headers: Record<string, string>): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });

/** A refusal as a sentence, because a person reads it. */
export const toPageRefusal = (error: unknown): Response => {
  const { status, headers } = toProblemResponse(error);
  const retryAfter = headers.get('retry-after');
  const texts: Record<number, string> = {
    403: 'Only pages of this server may request that.',
    414: 'No address of this server is that long.',
    429: `This network address sends too many requests. Try again in ${retryAfter} s.`,
  };
  return toText(
    status,
    texts[status] ?? 'This page cannot be shown.',
    retryAfter === null ? {} : { 'retry-after': retryAfter },
  );
};

/** Gives a page's answer a policy with its own nonce; refuses methods other than reads. */
export const openPage = (
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  response: Pick<ServerResponse, 'setHeader'>,
  context: RequestContext,
  { tilesUrl, isDevelopment }: { tilesUrl: string | null; isDevelopment: boolean },
): Response | null => {
  if (!PAGE_METHODS.has(request.method ?? ''))
    return toText(405, 'Pages are read, not written to.', { allow: 'GET, HEAD' });
  context.nonce = randomBytes(16).toString('base64');
  const policy = toPagePolicy({ nonce: context.nonce, tilesUrl, isDevelopment });
  // Next.js reads from the request's policy the nonce of its own scripts.
  request.headers[POLICY_HEADER] = policy;
  response.setHeader(POLICY_HEADER, policy);
  return null;
};

/** Path and query of the map that the start page shows to a client; null without a map, or without access. */
export const readStartAddress = async ({ url = '', headers }: IncomingMessage): Promise<string | null> => {
  const runtime = readRuntime();
  try {
    const viewer = await requireAccess(runtime, toClient(toHeaders(headers)), 'viewer', {});
    const home = await readHome(runtime, viewer);
    // A wall screen is sent to a page of its own.
    if (!('usdot' in home) || viewer.kind === 'screen') return null;
    const { search } = new URL(url, 'http://localhost');
    return `/fleets/${home.usdot}${search || (await readStartSearch(runtime, viewer, home.usdot))}`;
  } catch (error) {
    // The page itself names the reason, or leads to the sign-in.
    if (isAppError(error)) return null;
    throw error;
  }
};
