import 'server-only';
import type { ZodType } from 'zod';
import { requireAccess, requireFleet, type OpenAccess, type SignedInAccess } from '@/lib/access/access';
import {
  readInput,
  readQuery,
  requireKey,
  requireStorable,
  requireUsdot,
  requireVin,
} from '@/lib/access/input';
import { toKnownError, toProblem, toProblemResponse, toResponse } from '@/lib/access/respond';
import { toClientKey } from '@/lib/base/http/client-limit';
import { AppError } from '@/lib/base/http/problems';
import { changesState, isCrossOrigin } from '@/lib/base/http/same-origin';
import { toLoggedPath } from '@/lib/base/log';
import type { Client, Viewer } from '@/lib/base/viewer';
import { UNKNOWN_CONTEXT, readRequestContext, readRuntime, type Runtime } from './runtime';

/** A request without its body. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers'>;

/** The access of a program, by a key for loads and never by a session. */
type ProgramAccess = 'program';
type Access = SignedInAccess | OpenAccess | ProgramAccess;

const toText = (text: string): string => text;

/** @throws AppError 'malformed-address' for escapes that are no UTF-8, for which the server writes U+FFFD */
const requireReference = (text: string): string => {
  if (!text.includes('\uFFFD')) return text;
  throw new AppError('malformed-address', { detail: 'Percent-encode the reference as UTF-8.' });
};

/** The variable parts of addresses, and how each is read. @throws AppError 'malformed-usdot', 'malformed-vin', 'malformed-key' */
const PARAMS = {
  usdot: requireUsdot,
  vin: requireVin,
  key: requireKey,
  ...{ id: toText, number: toText, reference: requireReference, token: toText },
  ...{ z: toText, x: toText, y: toText },
};
export type ParamName = keyof typeof PARAMS;

/** A route as data. */
export interface RouteDefinition {
  summary: string;
  access: Access;
  /** The variable parts of the address that `handle` receives. */
  params?: readonly ParamName[];
  query?: ZodType;
  /** The body, as JSON. */
  body?: ZodType;
  /** The longest body; the limit of `readInput` where it is absent. */
  maxBytes?: number;
  /** The answer: what the schema does not name is left out of it. */
  answer?: ZodType;
}

/** The value that a handler receives: the parsed request, its viewer, and the server. */
type RouteContext<A, Param extends ParamName, Query, Body, RequestType> = Runtime &
  Record<Param, string> & {
    request: RequestType;
    query: Query;
    body: Body;
    client: Client;
    /** The viewer; null if the route requires no sign-in. */
    viewer: A extends OpenAccess ? null : Viewer;
    /** Whether the viewer may have this answer now too, for one that takes long. Never rejects. */
    isAllowed: () => Promise<boolean>;
  };

interface RouteOptions<
  A extends Access,
  Param extends ParamName,
  Query,
  Body,
  RequestType,
> extends RouteDefinition {
  access: A;
  params?: readonly Param[];
  query?: ZodType<Query>;
  body?: ZodType<Body>;
  /** Returns a Response, a value to be sent as JSON, or nothing. */
  handle: (context: RouteContext<A, Param, Query, Body, RequestType>) => unknown;
}

export type RouteHandler<RequestType extends RequestHead = Request> = ((
  request: RequestType,
  context: { params: Promise<unknown> },
) => Promise<Response>) & { definition: RouteDefinition };

/** Logs our own fault with its stack; a fault of the provider or the database with its message. */
const logFailure = ({ log }: Runtime, request: RequestHead, error: unknown, status: number): void => {
  const { pathname } = new URL(request.url);
  const about = { requestId: readRequestContext()?.requestId, path: toLoggedPath(pathname) };
  if (status === 500) log.error({ ...about, err: error }, 'A request failed.');
  else log.warn({ ...about, reason: String(error), status }, 'A request could not be served.');
};

/** Whether an error is a failure of this server, as when its database is away, and no refusal. */
const isOwnFault = (error: unknown): boolean => toProblem(toKnownError(error)).status >= 500;

/** The client of a request, as known before authentication. */
export const toClient = (headers: Headers): Client => {
  const { address, isLocal, isTls } = readRequestContext() ?? UNKNOWN_CONTEXT;
  return { headers, address: toClientKey(address), isLocal, isTls };
};

/** The program of a request, whose fleet is still there. @throws AppError 'load-key-needed', 'too-many-requests', 'unknown-fleet' */
const requireProgram = async (runtime: Runtime, client: Client): Promise<Viewer> => {
  const viewer = await runtime.loadKeys.require(client);
  for (const usdot of viewer.usdots ?? []) requireFleet(runtime, viewer, usdot);
  return viewer;
};

/** Whether the viewer may send this request, by where it comes from. @throws AppError 'cross-origin', 'not-for-screens' */
const requireOwnRequest = (
  { env: { trustedProxies } }: Runtime,
  { method, headers }: RequestHead,
  { isTls }: Client,
  viewer: Viewer | null,
): void => {
  // The demo has no session cookie whose SameSite attribute would stop other sites.
  if (viewer?.kind === 'demo' && isCrossOrigin(headers, { trustedProxies, isTls }))
    throw new AppError('cross-origin');
  if (viewer?.kind === 'screen' && changesState(method)) throw new AppError('not-for-screens');
};

/** Adds the parsed parts of a request that its route names to what the handler receives. */
const addParts = (
  context: Record<string, unknown>,
  { params: names = [], query, body, maxBytes }: RouteDefinition,
  request: RequestHead,
  params: Record<string, string>,
): Promise<void> | undefined => {
  requireStorable(params);
  for (const name of names) context[name] = PARAMS[name](params[name]!);
  if (query) context.query = readQuery(request, query);
  if (!body) return;
  // Only createHeadRoute makes routes of requests without a body, and they have no schema of one.
  const reading = readInput(request as Request, body, maxBytes === undefined ? {} : { maxBytes });
  return reading.then((input) => void (context.body = input));
};

const createAnyRoute = <RequestType extends RequestHead>({
  handle,
  ...definition
}: RouteDefinition & { handle: (context: never) => unknown }): RouteHandler<RequestType> => {
  const { access, answer } = definition;
  const respond = async (request: RequestType, given: unknown, runtime: Runtime): Promise<Response> => {
    const client = toClient(request.headers);
    const params = ((await given) ?? {}) as Record<string, string>;
    const authorize = async (): Promise<Viewer | null> => {
      if (access === 'anyone' || access === 'token') return null;
      if (access === 'program') return requireProgram(readRuntime(), client);
      return requireAccess(readRuntime(), client, access, params);
    };
    const viewer = await authorize();
    requireOwnRequest(runtime, request, client, viewer);
    const isAllowed = (): Promise<boolean> => authorize().then(() => true, isOwnFault);
    // It has the runtime by its prototype: a copy for each request costs the live route three of ten answers.
    const context: Record<string, unknown> = Object.create(runtime);
    Object.assign(context, { request, client, viewer, isAllowed });
    const reading = addParts(context, definition, request, params);
    if (reading) await reading;
    // createRoute and createHeadRoute determine the types of the parts.
    const answered = await handle(context as never);
    const isWhole = answer === undefined || answered instanceof Response;
    const response = toResponse(isWhole ? answered : answer.parse(answered));
    if (viewer !== null)
      for (const cookie of runtime.auth.takeCookies(client)) response.headers.append('set-cookie', cookie);
    return response;
  };
  const route = async (request: RequestType, { params }: { params: Promise<unknown> }): Promise<Response> => {
    const runtime = readRuntime();
    try {
      return await respond(request, params, runtime);
    } catch (thrown) {
      const error = toKnownError(thrown);
      const response = toProblemResponse(error);
      if (response.status >= 500) logFailure(runtime, request, error, response.status);
      return response;
    }
  };
  return Object.assign(route, { definition });
};

/**
 * A route handler that refuses viewers without `access` and parts of a request that cannot be used, answers with what
 * `handle` returns (a Response, a value as JSON, or nothing), answers every failure with a problem document, and logs
 * those that are not the caller's.
 */
export const createRoute = <
  A extends Access,
  Param extends ParamName = never,
  Query = undefined,
  Body = undefined,
>(
  options: RouteOptions<A, Param, Query, Body, Request>,
): RouteHandler => createAnyRoute(options);

/** The same for a route that reads no body, so that it can be called with the head of a request. */
export const createHeadRoute = <A extends Access, Param extends ParamName = never, Query = undefined>(
  options: Omit<RouteOptions<A, Param, Query, undefined, RequestHead>, 'body' | 'maxBytes'>,
): RouteHandler<RequestHead> => createAnyRoute(options);
