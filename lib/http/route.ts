import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Asker } from '@/lib/auth/server/asker';
import type { Viewer } from '@/lib/auth/viewer';
import { requireAccess } from './access';
import type { OpenAccess, SignedInAccess } from './access';
import type { Runtime } from '@/server/compose';
import { toKnownError } from './database-failure';
import { readDoor } from './door';
import { REQUEST_ID_HEADER, toRequestId } from '@/service/http/http-server';
import { withRequestId } from './request-id';
import { changesState } from './same-origin';
import { toLoggedPath } from './watch-requests';
import { requireStorable } from './guards';
import { toProblemResponse } from './respond';
import { readRuntime } from '@/server/runtime';

/** All of a request that asks for something without a body. */
export type Heading = Pick<Request, 'method' | 'url' | 'headers'>;
/** What is told of an answer here, whether it is a Response or what becomes one. */
type Headed = Pick<Response, 'headers'>;

interface Asked<Params, Who, Given> {
  request: Given;
  params: Params;
  runtime: Runtime;
  asker: Asker;
  /** Who asks; null where nobody has to be signed in. */
  viewer: Who;
}

type Handle<Params, Who, Given, Answer> = (asked: Asked<Params, Who, Given>) => Promise<Answer>;
type Route<Params, Given, Answer> = (
  request: Given,
  context: { params: Promise<Params> },
) => Promise<Answer | Response>;

/** A fault of ours with its stack; one of the provider's or the database's in its own words. */
const logFailure = ({ log }: Runtime, request: Heading, error: unknown, status: number): void => {
  const { pathname } = new URL(request.url);
  const about = { requestId: request.headers.get(REQUEST_ID_HEADER), path: toLoggedPath(pathname) };
  if (status === 500) log.error({ ...about, err: error }, 'A request failed.');
  else log.warn({ ...about, reason: String(error), status }, 'A request could not be served.');
};

const toUsdot = (params: unknown): string | undefined => {
  const usdot = (params as { usdot?: unknown } | undefined)?.usdot;
  return typeof usdot === 'string' ? usdot : undefined;
};

/**
 * A route handler that refuses what the door refuses and whom `access` leaves out, answers every failure with a problem
 * document, and logs those that are not the caller's.
 */
export function createRoute<Params, Given extends Heading = Request, Answer extends Headed = Response>(
  handle: Handle<Params, Viewer, Given, Answer>,
  options: { access: SignedInAccess },
): Route<Params, Given, Answer>;
export function createRoute<Params, Given extends Heading = Request, Answer extends Headed = Response>(
  handle: Handle<Params, null, Given, Answer>,
  options: { access: OpenAccess },
): Route<Params, Given, Answer>;
export function createRoute<Params, Given extends Heading, Answer extends Headed>(
  handle: Handle<Params, never, Given, Answer>,
  { access }: { access: SignedInAccess | OpenAccess },
): Route<Params, Given, Answer> {
  return async (request, context) => {
    const runtime = readRuntime();
    try {
      const door = readDoor();
      if (access === 'device') door.admitDevice(request);
      else door.admit(request);
      const asker = door.toAsker(request.headers);
      const params = await context.params;
      const isOpen = access === 'anyone' || access === 'token' || access === 'device';
      const viewer = isOpen ? null : await requireAccess(runtime, asker, access, toUsdot(params));
      if (viewer?.kind === 'demo') door.refuseElsewhere(request.headers);
      if (viewer?.kind === 'screen' && changesState(request.method)) throw new AppError('not-for-screens');
      requireStorable(params);
      const requestId = toRequestId(request.headers.get(REQUEST_ID_HEADER));
      // The overloads say which of the two it is.
      const asked = { request, params, runtime, asker, viewer: viewer as never };
      const response = await withRequestId(requestId, () => handle(asked));
      if (viewer !== null)
        for (const cookie of runtime.accounts.takeCookies(asker))
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
