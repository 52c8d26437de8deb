import 'server-only';
import type { Runtime } from './compose';
import { readDoor } from './door/door';
import { REQUEST_ID_HEADER, toRequestId, withRequestId } from './door/request-id';
import { toLoggedPath } from './door/watch-requests';
import { toProblemResponse } from './respond';
import { readRuntime } from './runtime';

/** All of a request that asks for something without a body. */
export type Heading = Pick<Request, 'method' | 'url' | 'headers'>;

type Handle<Params, Asked, Answer> = (asked: {
  request: Asked;
  params: Params;
  runtime: Runtime;
}) => Promise<Answer>;

/** A fault of ours with its stack; one of the provider's or the database's in its own words. */
const logFailure = ({ log }: Runtime, request: Heading, error: unknown, status: number): void => {
  const { pathname } = new URL(request.url);
  const about = { requestId: request.headers.get(REQUEST_ID_HEADER), path: toLoggedPath(pathname) };
  if (status === 500) log.error({ ...about, err: error }, 'A request failed.');
  else log.warn({ ...about, reason: String(error), status }, 'A request could not be served.');
};

/**
 * A route handler that refuses what the door refuses, answers every failure with a problem document, and logs those
 * that are not the caller's. `isForDevices`: asked with a token rather than from one of our pages, by thousands behind
 * one address.
 */
export const createRoute =
  <Params, Asked extends Heading = Request, Answer = Response>(
    handle: Handle<Params, Asked, Answer>,
    { isForDevices = false }: { isForDevices?: boolean } = {},
  ) =>
  async (request: Asked, context: { params: Promise<Params> }): Promise<Answer | Response> => {
    const runtime = readRuntime();
    try {
      const door = readDoor();
      if (isForDevices) door.admitDevice(request);
      else door.admit(request);
      const params = await context.params;
      const requestId = toRequestId(request.headers.get(REQUEST_ID_HEADER));
      return await withRequestId(requestId, () => handle({ request, params, runtime }));
    } catch (error) {
      const response = toProblemResponse(error);
      if (response.status >= 500) logFailure(runtime, request, error, response.status);
      return response;
    }
  };
