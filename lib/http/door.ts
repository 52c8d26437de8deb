import 'server-only';
import { AppError } from '@/lib/http/problems';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Asker } from '@/lib/auth/server/asker';
import { isLocalRequest } from '@/lib/auth/server/demo';
import { toClientAddress } from '@/service/access/client-address';
import { parseEnv } from '../config/env';
import type { Env } from '../config/env';
import { once } from '../ops/once';
import { isForwardedTls, toClient } from './client-address';
import { createClientLimit } from './client-limit';
import { REQUEST_ID_HEADER, toRequestId } from '@/service/http/http-server';
import { changesState, isFromElsewhere, isSameOrigin } from './same-origin';

/**
 * Where devices report: they come in thousands behind one address. Neither an escape nor a segment of dots is taken for
 * a part of it, so that no other address can be written in this form.
 */
const DEVICE_REPORT = /^\/tracking\/ingest(?:\/[\w~-][\w.~-]*)*\/?(?:\?|$)/;

/** What a request is held against before anything is done for it. */
export interface Door {
  /** Notes on a request as it comes in who makes it and under which id, over whatever it says of itself. */
  mark: (request: IncomingMessage) => { requestId: string; isTls: boolean };
  /** Counts a marked request against the limit of its client; reports of devices have none. @throws AppError 'too-many-requests' */
  take: (request: Pick<IncomingMessage, 'url' | 'headers'>) => void;
  /** The address from which a marked request came; null where it is not known. */
  readClientAddress: (headers: Headers) => string | null;
  /** Whether the browser asked over TLS. */
  isTls: (headers: Headers) => boolean;
  /** What is known of who asks, from what was noted on the request as it came in. */
  toAsker: (headers: Headers) => Asker;
  /** @throws AppError 'url-too-long', 'cross-origin' */
  admit: (request: Pick<Request, 'method' | 'url' | 'headers'>) => void;
  /** For the demo, which has no session that a cookie could keep from other sites. @throws AppError 'cross-origin' */
  refuseElsewhere: (headers: Headers) => void;
  /** As admit, for devices: their token is no cookie. @throws AppError 'url-too-long' */
  admitDevice: (request: Pick<Request, 'url'>) => void;
}

type DoorSettings = Pick<Env, 'trustedProxies' | 'clientRequestsPerS' | 'maxUrlCharacters' | 'publicUrl'>;

export const createDoor = (settings: DoorSettings, elapsed: () => number): Door => {
  const { trustedProxies, clientRequestsPerS, maxUrlCharacters, publicUrl } = settings;
  const limit =
    clientRequestsPerS === null ? null : createClientLimit({ requestsPerS: clientRequestsPerS, elapsed });
  // Nobody outside of this process knows the name, so that nobody can send the header.
  const addressHeader = `x-client-${randomUUID()}`;
  const localHeader = `x-local-${randomUUID()}`;
  const readClientAddress = (headers: Headers): string | null => headers.get(addressHeader);
  const isTls = (headers: Headers): boolean =>
    isForwardedTls(headers.get('x-forwarded-proto') ?? undefined, trustedProxies);

  const requireShortUrl = ({ url }: Pick<Request, 'url'>): void => {
    const { pathname, search } = new URL(url);
    const characters = pathname.length + search.length;
    if (characters > maxUrlCharacters) throw new AppError('url-too-long');
  };

  return {
    mark: ({ headers, httpVersion, socket }) => {
      // Evaluated before this process and Next.js add headers of their own, some of which a proxy adds too.
      const isLocal = isLocalRequest({ socketAddress: socket.remoteAddress, httpVersion, headers });
      const requestId = toRequestId(headers[REQUEST_ID_HEADER]?.toString());
      headers[REQUEST_ID_HEADER] = requestId;
      const forwardedFor = headers['x-forwarded-for']?.toString();
      const address = toClientAddress(socket.remoteAddress, forwardedFor, trustedProxies);
      if (address !== null) headers[addressHeader] = address;
      if (isLocal) headers[localHeader] = '1';
      return { requestId, isTls: isForwardedTls(headers['x-forwarded-proto']?.toString(), trustedProxies) };
    },
    take: ({ url = '', headers }) => {
      if (limit === null || DEVICE_REPORT.test(url)) return;
      const waitS = limit.take(toClient(headers[addressHeader]?.toString() ?? null));
      if (waitS > 0) throw new AppError('too-many-requests', { retryAfterS: waitS });
    },
    readClientAddress,
    isTls,
    toAsker: (headers) => ({
      headers,
      address: toClient(readClientAddress(headers)),
      isLocal: headers.has(localHeader),
      isTls: isTls(headers),
    }),
    admit: (request) => {
      requireShortUrl(request);
      const isPublicTls = publicUrl?.startsWith('https:') ?? isTls(request.headers);
      if (
        changesState(request.method) &&
        !isSameOrigin(request.headers, { trustedProxies, isTls: isPublicTls })
      )
        throw new AppError('cross-origin');
    },
    refuseElsewhere: (headers) => {
      if (isFromElsewhere(headers, { trustedProxies, isTls: isTls(headers) }))
        throw new AppError('cross-origin');
    },
    admitDevice: requireShortUrl,
  };
};

/** The door of this process, which pages, routes and the server itself share. @throws EnvError */
export const readDoor = (): Door =>
  once('door', () => createDoor(parseEnv(process.env), () => performance.now()));
