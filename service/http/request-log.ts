import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ServiceEnv } from '../context';
import type { ServiceLog } from '../log';
import { REQUEST_ID_HEADER, toRequestId } from './http-server';

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
