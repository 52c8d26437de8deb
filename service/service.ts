import { OpenAPIHono, type Hook } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { requireKey } from './access/auth';
import { FleetCache } from './answer/fleet-cache';
import type { ServiceContext, ServiceEnv, ServiceOptions } from './context';
import { registerSecurity } from './docs/openapi';
import { toFailure, ServiceProblem, toProblemResponse } from './problem';
import { REQUEST_ID_HEADER, toRequestId } from './http/http-server';
import { ingestRoutes } from './ingest/routes';
import { silentLog, type ServiceLog } from './log';
import { addDocumentRoutes } from './docs/page';
import { addEndpoints } from './routes/endpoints';

/** The tracking API as a function from request to response. */
export interface Service {
  fetch(request: Request): Promise<Response>;
}

export const DEFAULT_ACTIVE_WINDOW_MIN = 30;

const refuseMalformed: Hook<unknown, ServiceEnv, string, unknown> = (result) => {
  if (result.success) return;
  const issue = result.error.issues[0];
  throw new ServiceProblem(issue?.path[0] === 'vin' ? 'malformed_vin' : 'malformed_usdot', issue?.message);
};

/** The path of a request below the base path; empty, which matches no route, for any other. */
const createGetPath =
  (basePath: string) =>
  (request: Request): string => {
    const { pathname } = new URL(request.url);
    if (basePath === '') return pathname;
    return pathname === basePath || pathname.startsWith(`${basePath}/`)
      ? pathname.slice(basePath.length) || '/'
      : '';
  };

/** Refuses every method but GET and HEAD on the routes added so far. */
const refuseOtherMethods = (app: OpenAPIHono<ServiceEnv>): void => {
  const paths = app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === 'route' ? [definition.route.path.replaceAll(/\{(.+?)\}/g, ':$1')] : [],
  );
  for (const path of paths) {
    app.all(path, (c) => {
      throw new ServiceProblem('method_not_allowed', `Got ${c.req.method} where GET is expected.`, {
        allow: 'GET, HEAD',
      });
    });
  }
};

/** @throws RangeError when a setting makes no sense. */
export const createService = (options: ServiceOptions): Service => {
  const { store, now, log = silentLog, requestsPerMinute = null, readClientAddress = () => null } = options;
  const { activeWindowMs = DEFAULT_ACTIVE_WINDOW_MIN * 60_000 } = options;
  if (!(activeWindowMs > 0))
    throw new RangeError(`Got an active window of ${activeWindowMs} ms when expected more than 0.`);
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const fleets = new FleetCache({ store, now, activeWindowMs });
  if (requestsPerMinute !== null && !(requestsPerMinute >= 1))
    throw new RangeError(`Got ${requestsPerMinute} requests a minute when expected 1 or more.`);
  const context: ServiceContext = {
    ...{ store, now, log, basePath, fleets, requestsPerMinute, readClientAddress },
    createCounter: options.createCounter,
  };

  const app = new OpenAPIHono<ServiceEnv>({ defaultHook: refuseMalformed, getPath: createGetPath(basePath) });
  app.use(logRequests(log));
  for (const path of ['/api/*', '/extensions/*']) app.use(path, requireKey(context));
  registerSecurity(app);
  addEndpoints(app, context);
  refuseOtherMethods(app);
  app.route('/ingest', ingestRoutes({ store, now, log }));
  addDocumentRoutes(app, context);

  app.notFound((c) => {
    const problem = new ServiceProblem(
      'unknown_path',
      `The service describes itself at ${basePath}/openapi.json.`,
    );
    return toProblemResponse(problem, basePath, c.get('requestId'));
  });
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (error instanceof ServiceProblem) return toProblemResponse(error, basePath, requestId);
    const { problem, fields } = toFailure(error);
    log.error({ ...fields, requestId }, 'request failed');
    return toProblemResponse(problem, basePath, requestId);
  });

  return { fetch: async (request) => app.fetch(request) };
};

const levelOf = (status: number): 'debug' | 'info' | 'error' => {
  if (status >= 500) return 'error';
  return status >= 400 ? 'info' : 'debug';
};

/**
 * Gives every request an id, its own x-request-id where it has one, which the response repeats, and logs one line. The
 * line holds the pattern of the route: the path itself may hold a VIN or an ingest token.
 */
export const logRequests =
  (log: ServiceLog): MiddlewareHandler<ServiceEnv> =>
  async (c, next) => {
    const startedAt = performance.now();
    const requestId = toRequestId(c.req.header(REQUEST_ID_HEADER));
    c.set('requestId', requestId);
    await next();
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
    const { status } = c.res;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log[levelOf(status)]({ method: c.req.method, route: routePath(c, -1), status, ms, requestId }, 'request');
  };
