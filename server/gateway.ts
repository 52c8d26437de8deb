import 'server-only';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endSocket, findMalformed, guardServer, isHost, sendRefusal } from '@/service/http/http-server';
import type { HttpRefusal } from '@/service/http/http-server';
import { toProblemResponse } from '@/lib/http/respond';
import { toAnswerHeaders } from '@/lib/http/answer-headers';
import type { Door } from '@/lib/http/door';
import { sendAnswer } from './live-fast-path';
import { toPageRefusal } from '@/lib/http/page-door';

/** Node.js publishes both for every server of this process: a new connection, and a request before its listeners run. */
const CONNECTION_CHANNEL = 'net.server.socket';
const REQUEST_CHANNEL = 'http.server.request.start';
/** What programs read, and not people in a browser. */
const DATA_PATH = /^\/(?:api|tracking|metrics)(?:[/?]|$)/;
/** An upgrade of the development server is answered at once, or never. */
const UPGRADE_TIMEOUT_MS = 5000;

export interface GatewayOptions {
  door: Door;
  /** Answers some requests before Next.js does; false for those that it leaves alone. */
  answerFirst: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** Whether the X-Forwarded-Host header is believed, and must be a host. */
  isForwardedHostTrusted: boolean;
  /** Next.js reloads pages of a development server by a WebSocket. Otherwise there is none. */
  isDevelopment: boolean;
}

const FORWARDED_HOST_REFUSAL: HttpRefusal = {
  status: 400,
  text: 'The X-Forwarded-Host header is not a host with an optional port.',
};
const NO_UPGRADE: HttpRefusal = { status: 400, text: 'This address has no WebSocket.' };

/**
 * Attaches to every HTTP server of this process, in front of the listeners of Next.js: bounds what clients may take,
 * refuses malformed requests and requests beyond a client's limit, and answers the live route. Returns a function that
 * detaches it.
 */
export const openGateway = (options: GatewayOptions): (() => void) => {
  const { door, answerFirst, isForwardedHostTrusted, isDevelopment } = options;
  const detach: (() => void)[] = [];
  const attached = new WeakSet<Server>();

  const findRefusal = (request: IncomingMessage): HttpRefusal | null => {
    const malformed = findMalformed(request);
    const forwardedHost = isForwardedHostTrusted ? request.headers['x-forwarded-host'] : undefined;
    if (malformed !== null || forwardedHost === undefined) return malformed;
    return String(forwardedHost)
      .split(',')
      .every((host) => isHost(host.trim()))
      ? null
      : FORWARDED_HOST_REFUSAL;
  };

  /** True where the request was refused. */
  const refuse = (request: IncomingMessage, response: ServerResponse): boolean => {
    const refusal = findRefusal(request);
    if (refusal !== null) {
      sendRefusal(response, refusal);
      return true;
    }
    try {
      door.take(request);
      return false;
    } catch (error) {
      const toRefusal = DATA_PATH.test(request.url ?? '') ? toProblemResponse : toPageRefusal;
      void sendAnswer(toRefusal(error), response);
      return true;
    }
  };

  /** A server without a listener for upgrades ignores the header and answers the request, as RFC 9110 has it. */
  const attachUpgrades = (server: Server): void => {
    const others = server.listeners('upgrade');
    server.removeAllListeners('upgrade');
    detach.push(() => others.forEach((other) => server.on('upgrade', other as () => void)));
    if (!isDevelopment) return;
    const headers = toAnswerHeaders('/', { isTls: false, isDevelopment });
    const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
      if (findRefusal(request) !== null) return void socket.destroy();
      const { bytesWritten } = socket;
      setTimeout(() => {
        if (socket.bytesWritten === bytesWritten) endSocket(socket, NO_UPGRADE, headers);
      }, UPGRADE_TIMEOUT_MS).unref();
      for (const other of others) Reflect.apply(other, server, [request, socket, head]);
    };
    server.on('upgrade', onUpgrade);
    detach.push(() => server.off('upgrade', onUpgrade));
  };

  const attach = (server: Server): void => {
    attached.add(server);
    const others = server.listeners('request') as RequestListener[];
    const take: RequestListener = (request, response) => {
      if (refuse(request, response) || answerFirst?.(request, response)) return;
      for (const other of others) other.call(server, request, response);
    };
    server.removeAllListeners('request').on('request', take);
    attachUpgrades(server);
    const unguard = guardServer(server, toAnswerHeaders('/', { isTls: false, isDevelopment }));
    detach.push(() => {
      unguard();
      server.off('request', take);
      for (const other of others) server.on('request', other);
    });
  };

  const attachOnce = (server: unknown): void => {
    if (server instanceof Server && !attached.has(server)) attach(server);
  };
  const onConnection = (message: unknown): void =>
    attachOnce((message as { socket: { server?: unknown } }).socket.server);
  const onRequest = (message: unknown): void => attachOnce((message as { server: unknown }).server);

  subscribe(CONNECTION_CHANNEL, onConnection);
  subscribe(REQUEST_CHANNEL, onRequest);
  return () => {
    unsubscribe(CONNECTION_CHANNEL, onConnection);
    unsubscribe(REQUEST_CHANNEL, onRequest);
    for (const undo of detach) undo();
  };
};
