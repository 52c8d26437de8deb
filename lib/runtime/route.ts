import 'server-only';
import type { Runtime } from './compose';
import { toProblemResponse } from './respond';
import { readRuntime } from './runtime';

type Handle<Params> = (asked: { request: Request; params: Params; runtime: Runtime }) => Promise<Response>;

/** A fault of ours with its stack; one of the provider's or the database's in its own words. */
const logFailure = ({ log }: Runtime, request: Request, error: unknown, status: number): void => {
  // The query is left out: it is where a device may have put its token.
  const path = new URL(request.url).pathname;
  if (status === 500) log.error({ err: error, path }, 'A request failed.');
  else log.warn({ reason: String(error), path, status }, 'A request could not be served.');
};

/** A route handler that answers every failure with a problem document, and logs those that are not the caller's. */
export const createRoute =
  <Params>(handle: Handle<Params>) =>
  async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const runtime = readRuntime();
    try {
      return await handle({ request, params: await context.params, runtime });
    } catch (error) {
      const response = toProblemResponse(error);
      if (response.status >= 500) logFailure(runtime, request, error, response.status);
      return response;
    }
  };
