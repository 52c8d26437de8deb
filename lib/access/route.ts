import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { Client, Viewer } from '@/lib/base/viewer';
import { toLoggedPath } from '@/lib/base/log';
import { requireAccess, type OpenAccess, type SignedInAccess } from './access';
import { toClientKey } from '@/lib/base/http/client-limit';
import { toKnownError, toProblem, toProblemResponse, toResponse } from './respond';
import { requireStorable } from './input';
import { UNKNOWN_CONTEXT, readRequestContext, readRuntime, type Runtime } from './runtime';
import { changesState, isCrossOrigin } from '@/lib/base/http/same-origin';

/** A request without its body. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers'>;

interface RouteContext<Params, ViewerType, RequestType> {
  request: RequestType;
  params: Params;
  runtime: Runtime;
  client: Client;
  /** The viewer; null if the route requires no sign-in. */
  viewer: ViewerType;
  /** Whether the viewer may have this answer now too, for one that takes long. Never rejects. */
  isAllowed: () => Promise<boolean>;
}

type Handle<Params, ViewerType, RequestType> = (
  context: RouteContext<Params, ViewerType, RequestType>,
) => Promise<unknown>;
type Route<Params, RequestType> = (
  request: RequestType,
  context: { params: Promise<Params> },
) => Promise<Response>;

/** Logs our own fault with its stack; a fault of the provider or the database with its message. */
const logFailure = ({ log }: Runtime, request: RequestHead, error: unknown, status: number): void => {
  const { pathname } = new URL(request.url);
  const about = { requestId: readRequestContext()?.requestId, path: toLoggedPath(pathname) };
  if (status === 500) log.error({ ...about, err: error }, 'A request failed.');
  else log.warn({ ...about, reason: String(error), status }, 'A request could not be served.');
};

/** Whether an error is a failure of this server, as when its database is away, and no refusal. */
const isOwnFault = (error: unknown): boolean => toProblem(toKnownError(error)).status >= 500;

/** What is known of a request before authentication. */
export const toClient = (headers: Headers): Client => {
  const { address, isLocal, isTls } = readRequestContext() ?? UNKNOWN_CONTEXT;
  return { headers, address: toClientKey(address), isLocal, isTls };
};

/**
 * A route handler that refuses viewers without `access`, answers with what `handle` returns (a Response, a value
 * as JSON, or nothing), answers every failure with a problem document, and logs those that are not the caller's.
 */
export function createRoute<Params, RequestType extends RequestHead = Request>(
  handle: Handle<Params, Viewer, RequestType>,
  options: { access: SignedInAccess },
): Route<Params, RequestType>;
export function createRoute<Params, RequestType extends RequestHead = Request>(
  handle: Handle<Params, null, RequestType>,
  options: { access: OpenAccess },
): Route<Params, RequestType>;
export function createRoute<Params, RequestType extends RequestHead>(
  handle: Handle<Params, never, RequestType>,
  { access }: { access: SignedInAccess | OpenAccess },
): Route<Params, RequestType> {
  return async (request, context) => {
    const runtime = readRuntime();
    try {
      const client = toClient(request.headers);
      const params = await context.params;
      const isOpen = access === 'anyone' || access === 'token';
      const authorize = async (): Promise<Viewer | null> =>
        isOpen ? null : requireAccess(readRuntime(), client, access, params ?? {});
      const viewer = await authorize();
      const isAllowed = (): Promise<boolean> => authorize().then(() => true, isOwnFault);
      const { trustedProxies } = runtime.env;
      // The demo has no session cookie whose SameSite attribute would stop other sites.
      if (viewer?.kind === 'demo' && isCrossOrigin(request.headers, { trustedProxies, isTls: client.isTls }))
        throw new AppError('cross-origin');
      if (viewer?.kind === 'screen' && changesState(request.method)) throw new AppError('not-for-screens');
      requireStorable(params);
      // The overloads determine which of the two it is.
      const response = toResponse(
        await handle({ request, params, runtime, client, viewer: viewer as never, isAllowed }),
      );
      if (viewer !== null)
        for (const cookie of runtime.accounts.takeCookies(client))
          response.headers.append('set-cookie', cookie);
      return response;
    } catch (thrown) {
      const error = toKnownError(thrown);
      const response = toProblemResponse(error);
      if (response.status >= 500) logFailure(runtime, request, error, response.status);
      return response;
    }
  };
}
