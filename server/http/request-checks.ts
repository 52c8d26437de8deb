import 'server-only';
import type { IncomingMessage } from 'node:http';
import { isLocalRequest } from '@/lib/auth/server/demo';
import type { Clock } from '@/lib/base/clock';
import type { LimitStore } from '@/lib/base/rate-limits';
import type { Env } from '@/lib/config/env';
import { isForwardedTls, toClientKey, createClientLimit } from '@/lib/base/http/client-limit';
import { LOAD_METHODS } from '@/lib/access/respond';
import { AppError } from '@/lib/base/http/problems';
import type { RequestContext } from '@/server/runtime';
import { changesState, isSameOrigin } from '@/lib/base/http/same-origin';
import { toClientAddress, REQUEST_ID_HEADER, toRequestId } from '@/service/http/http-server';
import { toHeaders } from './fast-path';

/** The paths of device reports, which share addresses; one with an escape or a dot segment is not accepted. */
const DEVICE_REPORT = /^\/tracking\/ingest(?:\/[\w~-][\w.~-]*)*\/?(?:\?|$)/;
/** The paths of the tracking service: its clients send a key or a token, and no cookie. */
const TRACKING = /^\/tracking(?:[/?]|$)/;
/** Where mail programs end mails, with a signed token and no cookie. */
const MAIL_PROGRAMS = /^\/u\/[\w.-]+(?:\?|$)/;
/** The paths for programs, whose routes read a key and no cookie. */
const PROGRAMS = /^\/api\/v1\/loads\/[^/?\\]+(?:\?|$)/;

const MAX_URL_CHARACTERS = 4096;

export const isTracking = (target: string): boolean => TRACKING.test(target);

interface RequestChecks {
  /** The context of a request, from its socket, its proxies and its headers. */
  toContext: (request: IncomingMessage) => RequestContext;
  /**
   * @throws AppError 'too-many-requests' if the client exceeds its limit; reports of devices have none
   * @throws AppError 'url-too-long'
   * @throws AppError 'cross-origin' for a request that may change something and that no page of ours has made
   */
  check: (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, context: RequestContext) => void;
}

export type CheckSettings = Pick<Env, 'trustedProxies' | 'clientRequestsPerS' | 'publicUrl'>;

export const createRequestChecks = (
  settings: CheckSettings,
  clock: Pick<Clock, 'monotonicMs'>,
  limits: LimitStore | null = null,
): RequestChecks => {
  const { trustedProxies, clientRequestsPerS, publicUrl } = settings;
  const limit =
    clientRequestsPerS === null
      ? null
      : createClientLimit({
          requestsPerS: clientRequestsPerS,
          clock,
          shared: limits && { store: limits, name: 'requests' },
        });

  const requireAllowance = (url: string, { address }: RequestContext): void => {
    if (limit === null || DEVICE_REPORT.test(url)) return;
    const waitS = limit.take(toClientKey(address));
    if (waitS > 0) throw new AppError('too-many-requests', { retryAfterS: waitS });
  };

  return {
    toContext: ({ headers, httpVersion, socket, url = '' }) => ({
      requestId: toRequestId(headers[REQUEST_ID_HEADER]?.toString()),
      address: toClientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies),
      isLocal: isLocalRequest({ socketAddress: socket.remoteAddress, httpVersion, headers }),
      isTls: isForwardedTls(headers['x-forwarded-proto']?.toString(), trustedProxies),
      target: url,
      shownAddress: null,
      nonce: null,
    }),
    check: ({ method = '', url = '', headers }, context) => {
      requireAllowance(url, context);
      if (url.length > MAX_URL_CHARACTERS) throw new AppError('url-too-long');
      if (PROGRAMS.test(url) && !LOAD_METHODS.includes(method)) throw new AppError('not-this-method');
      if (!changesState(method) || isTracking(url) || PROGRAMS.test(url) || MAIL_PROGRAMS.test(url)) return;
      const isTls = publicUrl?.startsWith('https:') ?? context.isTls;
      if (!isSameOrigin(toHeaders(headers), { trustedProxies, isTls })) throw new AppError('cross-origin');
    },
  };
};

/** The replacement character that decoders write for invalid bytes: U+FFFD. */
const NO_TEXT = '%EF%BF%BD';

/** "%E0%A4%A" is not valid UTF-8, "%zz" no escape at all. */
const isReadable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** A request's target with a decodable path: Next.js would answer an undecodable one with a bare 500. */
export const toReadableTarget = (target: string): string => {
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  return isReadable(path) ? target : [path.replaceAll('%', NO_TEXT), ...query].join('?');
};
