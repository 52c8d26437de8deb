import 'server-only';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '@/lib/base/clock';
import type { LimitStore } from '@/lib/base/rate-limits';
import { toSecurityHeaders } from '@/lib/base/http/headers';
import { type RequestContext, type Runtime, withRequestContext } from '@/server/runtime';
import { toProblemResponse } from '@/lib/access/respond';
import {
  toReadableTarget,
  createRequestChecks,
  isTracking,
  type CheckSettings,
} from '@/server/http/request-checks';
import { toLoggedPath } from '@/lib/base/log';
import {
  addMissingHeaders,
  endSocket,
  findMalformed,
  guardServer,
  isHost,
  sendRefusal,
  toOriginForm,
  REQUEST_ID_HEADER,
  type HttpRefusal,
  type ServerTimeouts,
} from '@/service/http/http-server';
import { compressResponse } from './compress';
import { createFastPath, sendResponse, type FastRoutes } from './fast-path';
import { isPage, isStartPage, openPage, toPageRefusal } from './pages';
import type { SharedFiles } from './files/shared-files';
import { createStaticFiles } from './files/static-files';

/** Read by programs, not by people in a browser. */
const DATA_PATH = /^\/(?:api|tracking|metrics)(?:[/?]|$)/;
const MAX_HEADER_BYTES = 16 * 1024;
const CHECK_INTERVAL_MS = 5000;
/** A development server answers an upgrade at once, or never. */
const UPGRADE_TIMEOUT_MS = 5000;

const FORWARDED_HOST_REFUSAL: HttpRefusal = {
  status: 400,
  text: 'The X-Forwarded-Host header is not a host with an optional port.',
};
const NO_UPGRADE: HttpRefusal = { status: 400, text: 'This address has no WebSocket.' };
const NO_EXPECTATION: HttpRefusal = { status: 417, text: 'This server does not support this expectation.' };

export type UpgradeListener = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

export interface HttpOptions {
  env: CheckSettings & Pick<Runtime['env'], 'tiles'>;
  log: Runtime['log'];
  metrics: Pick<NonNullable<Runtime['metrics']>, 'noteAnswer'> | null;
  /** Where several servers count the requests of a client together; null: there is no other server. */
  limits: LimitStore | null;
  /** They answer without Next.js. */
  fastRoutes: FastRoutes;
  /** The tracking service, under /tracking. */
  tracking: RequestListener;
  /** The checkout, whose compressed files are sent without Next.js; null in development. */
  root: string | null;
  /** Where the servers share the files of their builds; null: there is no other server. */
  sharedFiles: SharedFiles | null;
  /** The path and query of the page that the start page shows the client of a request; null: Next.js answers. */
  readStartAddress: (request: IncomingMessage) => Promise<string | null>;
  /** Pages, files and all other route handlers. */
  next: RequestListener;
  /** The WebSocket by which Next.js reloads pages in development; null without one. */
  nextUpgrade: UpgradeListener | null;
  timeouts?: Partial<ServerTimeouts>;
  /** How often connections are compared with the timeouts, in ms. */
  checkIntervalMs?: number;
}

/** Answers the start page with the page that it stands for, at once instead of by a redirect. */
const createStartPage =
  ({ readStartAddress, next, log }: Pick<HttpOptions, 'readStartAddress' | 'next' | 'log'>) =>
  async (request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> => {
    try {
      context.shownAddress = await readStartAddress(request);
    } catch (error) {
      log.error({ err: error }, 'The start page could not be chosen.');
    }
    if (context.shownAddress !== null) request.url = context.shownAddress;
    next(request, response);
  };

/** Node.js answers the expectation 100-continue by itself. */
const findUnmet = ({ headers }: IncomingMessage): HttpRefusal | null => {
  if (headers.upgrade?.toLowerCase() === 'websocket') return NO_UPGRADE;
  return headers.expect === undefined || headers.expect.toLowerCase() === '100-continue'
    ? null
    : NO_EXPECTATION;
};

const createFindRefusal =
  ({ trustedProxies }: CheckSettings) =>
  (request: IncomingMessage): HttpRefusal | null => {
    const malformed = findMalformed(request);
    const forwardedHost = trustedProxies > 0 ? request.headers['x-forwarded-host'] : undefined;
    if (malformed !== null || forwardedHost === undefined) return malformed;
    const hosts = String(forwardedHost).split(',');
    return hosts.every((host) => isHost(host.trim())) ? null : FORWARDED_HOST_REFUSAL;
  };

/** Counts each answer and logs a line for it; status 0: the client left before it came. */
const createRequestLog = ({ log, metrics }: Pick<HttpOptions, 'log' | 'metrics'>) => {
  const isLogged = log.isLevelEnabled('info');
  return ({ method }: IncomingMessage, response: ServerResponse, context: RequestContext): void => {
    if (!isLogged && metrics === null) return;
    const startedAtMs = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 0;
      metrics?.noteAnswer(status);
      if (!isLogged) return;
      const { requestId, target } = context;
      const ms = Math.round((performance.now() - startedAtMs) * 10) / 10;
      log[status === 0 || status >= 400 ? 'info' : 'debug'](
        { requestId, method, path: toLoggedPath(target), status, ms },
        status === 0 ? 'request given up by its client' : 'request',
      );
    });
  };
};

/** Forwards the WebSocket to a development server, and ends the connection if that does not answer. */
const mountUpgrade = (
  server: Server,
  nextUpgrade: UpgradeListener,
  isRefused: (request: IncomingMessage) => boolean,
): void => {
  const headers = toSecurityHeaders('/', { isTls: false, isDevelopment: true });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (isRefused(request)) return void socket.destroy();
    const { bytesWritten } = socket;
    setTimeout(() => {
      if (socket.bytesWritten === bytesWritten) endSocket(socket, NO_UPGRADE, headers);
    }, UPGRADE_TIMEOUT_MS).unref();
    nextUpgrade(request, socket, head);
  });
};

/**
 * The one HTTP server of the web application. Each request passes these steps in order: request id and client
 * address, request log and metrics, security headers, check for malformed requests, request limit, length of
 * the address, origin, and then the first of fast path, tracking service and Next.js that handles it.
 */
export const createHttpServer = (options: HttpOptions): Server => {
  const { env, log, tracking, next, nextUpgrade } = options;
  const isDevelopment = nextUpgrade !== null;
  const checks = createRequestChecks(env, systemClock, options.limits);
  const findRefusal = createFindRefusal(env);
  const watch = createRequestLog(options);
  const fastPath = createFastPath(options.fastRoutes, log);
  const sendFile =
    options.root === null ? () => false : createStaticFiles(options.root, log, options.sharedFiles, next);
  const openStartPage = createStartPage(options);

  const route = (request: IncomingMessage, response: ServerResponse, context: RequestContext): void => {
    const refusal = findRefusal(request) ?? findUnmet(request);
    if (refusal !== null) return sendRefusal(response, refusal);
    const target = request.url ?? '/';
    try {
      checks.check(request, context);
    } catch (error) {
      const toRefusal = DATA_PATH.test(target) ? toProblemResponse : toPageRefusal;
      return void sendResponse(toRefusal(error), response);
    }
    if (fastPath(request, response)) return;
    if (isTracking(target)) return tracking(request, response);
    if (sendFile(request, response)) return;
    if (isPage(target)) {
      const refused = openPage(request, response, context, {
        tilesUrl: env.tiles?.url ?? null,
        isDevelopment,
      });
      if (refused !== null) return void sendResponse(refused, response);
    }
    compressResponse(request, response);
    if (isStartPage(request)) return void openStartPage(request, response, context);
    next(request, response);
  };

  const onRequest: RequestListener = (request, response) => {
    toOriginForm(request);
    const context = checks.toContext(request);
    withRequestContext(context, () => {
      request.headers[REQUEST_ID_HEADER] = context.requestId;
      response.setHeader(REQUEST_ID_HEADER, context.requestId);
      watch(request, response, context);
      addMissingHeaders(response, toSecurityHeaders(context.target, { isTls: context.isTls, isDevelopment }));
      request.url = toReadableTarget(context.target);
      route(request, response, context);
    });
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: options.checkIntervalMs ?? CHECK_INTERVAL_MS,
      // findMalformed refuses it, with the security headers.
      requireHostHeader: false,
    },
    onRequest,
  );
  server.on('checkExpectation', onRequest);
  guardServer(server, toSecurityHeaders('/', { isTls: false, isDevelopment }), options.timeouts);
  if (nextUpgrade !== null) mountUpgrade(server, nextUpgrade, (request) => findRefusal(request) !== null);
  return server;
};
