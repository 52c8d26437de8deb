import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHead } from '@/server/route';
import type { Log } from '@/lib/base/log';

export const sendResponse = async (answer: Response, response: ServerResponse): Promise<void> => {
  const body = new Uint8Array(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  if (answer.status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(answer.status).end(body);
};

/** Next.js handles other spellings, because it decodes more of them. */
const FLEET_AT = /^\/api\/fleets\/(\d{1,8})\/(live|past)(?:\?|$)/;

type FleetRoute = (
  request: RequestHead,
  context: { params: Promise<{ usdot: string }> },
) => Promise<Response>;

/** The handlers of GET /api/fleets/:usdot/live and …/past. */
export type FleetRoutes = Record<'live' | 'past', FleetRoute>;

export const toHeaders = (headers: IncomingMessage['headers']): Headers => {
  const copies = new Headers();
  for (const [name, value] of Object.entries(headers)) copies.set(name, String(value));
  return copies;
};

const toHeading = ({ headers, url }: IncomingMessage): RequestHead => ({
  method: 'GET',
  url: `http://localhost${url}`,
  headers: toHeaders(headers),
});

/** Answers the live route and the dragged past without Next.js, in 0.7 ms instead of 3 (decision 23); else false. */
export const createFastPath = (
  routes: FleetRoutes,
  log: Log,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const answer = async (
    route: FleetRoute,
    usdot: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    try {
      await sendResponse(await route(toHeading(request), { params: Promise.resolve({ usdot }) }), response);
    } catch (error) {
      log.error({ err: error }, 'A fleet could not be sent.');
      response.destroy();
    }
  };

  return (request, response) => {
    const [, usdot, name] = (request.method === 'GET' && FLEET_AT.exec(request.url ?? '')) || [];
    if (usdot === undefined) return false;
    void answer(routes[name as keyof FleetRoutes], usdot, request, response);
    return true;
  };
};
