import 'server-only';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addMissingHeaders, toOriginForm } from '@/service/http/http-server';
import { redactSecrets } from '@/service/log';
import { REQUEST_ID_HEADER } from '@/service/http/http-server';
import type { Log } from '../ops/log';
import { toAnswerHeaders } from './answer-headers';
import type { Door } from './door';
import { toReadableTarget } from './readable-target';

/** Node says this of every request that its HTTP servers take in, before anybody answers it. */
const CHANNEL = 'http.server.request.start';
const MAX_PATH_CHARACTERS = 200;

/** The path without what may be secret: the query, and all of an address where devices put their token. */
export const toLoggedPath = (url: string): string => {
  const [path = ''] = url.split('?', 1);
  if (path.startsWith('/tracking/')) return '/tracking/…';
  return redactSecrets(path.slice(0, MAX_PATH_CHARACTERS));
};

interface Asked {
  requestId: string;
  method: string;
  url: string;
  startedAt: number;
}

interface WatchOptions {
  door: Door;
  log: Log;
  /** Told of each answer that went out; status is 0 where the client left before it came. */
  onAnswered?: (status: number) => void;
  isDevelopment?: boolean;
}

/**
 * Marks every request that comes in, sees that its path can be read, gives its id and the security headers to the answer,
 * and writes a line for it. It stands before Next.js, which tells route handlers no socket, and believes X-Forwarded-For.
 * Returns how to end it.
 */
export const watchRequests = ({
  door,
  log,
  onAnswered,
  isDevelopment = false,
}: WatchOptions): (() => void) => {
  const isLogged = log.isLevelEnabled('info');

  const tell = ({ requestId, method, url, startedAt }: Asked, response: ServerResponse): void => {
    const status = response.writableFinished ? response.statusCode : 0;
    onAnswered?.(status);
    if (!isLogged) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log[status === 0 || status >= 400 ? 'info' : 'debug'](
      { requestId, method, path: toLoggedPath(url), status, ms },
      status === 0 ? 'request given up by its client' : 'request',
    );
  };

  const take = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    toOriginForm(request);
    const { requestId, isTls } = door.mark(request);
    response.setHeader(REQUEST_ID_HEADER, requestId);
    const { method = '', url = '' } = request;
    addMissingHeaders(response, toAnswerHeaders(url, { isTls, isDevelopment }));
    request.url = toReadableTarget(url);
    if (!isLogged && onAnswered === undefined) return;
    // By the address as it came: Next.js rewrites it on its way.
    const asked = { requestId, method, url, startedAt: performance.now() };
    response.once('close', () => tell(asked, response));
  };

  subscribe(CHANNEL, take);
  return () => unsubscribe(CHANNEL, take);
};
