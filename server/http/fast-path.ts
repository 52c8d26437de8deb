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

/** The routes that are answered without Next.js: their paths, with the parameters as groups, and their methods. */
const PATHS = {
  // Next.js handles other spellings, because it decodes more of them.
  live: { path: /^\/api\/fleets\/(?<usdot>\d{1,8})\/live(?:\?|$)/, methods: ['GET'] },
  past: { path: /^\/api\/fleets\/(?<usdot>\d{1,8})\/past(?:\?|$)/, methods: ['GET'] },
  calendar: { path: /^\/t\/(?<token>[^?/]*)\/calendar\.ics(?:\?|$)/, methods: ['GET', 'HEAD'] },
  // All that follows is a token, or else answered as one that nothing has.
  share: { path: /^\/t\/(?<token>[^?]*)/, methods: ['GET', 'HEAD'] },
  endMails: { path: /^\/u\/(?<token>[^?]*)/, methods: ['GET', 'HEAD', 'POST'] },
} as const;
type FastRouteName = keyof typeof PATHS;

type FastRoute = (request: RequestHead, context: { params: Promise<unknown> }) => Promise<Response>;

/** The handlers of GET /api/fleets/:usdot/live, …/past and /t/:token. */
export type FastRoutes = Record<FastRouteName, FastRoute>;

export const toHeaders = (headers: IncomingMessage['headers']): Headers => {
  const copies = new Headers();
  for (const [name, value] of Object.entries(headers)) copies.set(name, String(value));
  return copies;
};

const toHeading = ({ method = 'GET', headers, url }: IncomingMessage): RequestHead => ({
  method,
  url: `http://localhost${url}`,
  headers: toHeaders(headers),
});

/** The route that a request is for, and its parameters; null: Next.js answers it. */
const find = ({ method = '', url = '' }: IncomingMessage) => {
  for (const name of Object.keys(PATHS) as FastRouteName[]) {
    const { path, methods } = PATHS[name];
    const found = (methods as readonly string[]).includes(method) && path.exec(url);
    if (found) return { name, params: { ...found.groups } };
  }
  return null;
};

/** Answers these routes without Next.js, in 0.7 ms instead of 3 (decision 23); else false. */
export const createFastPath = (
  routes: FastRoutes,
  log: Log,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const answer = async (
    { name, params }: NonNullable<ReturnType<typeof find>>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    try {
      await sendResponse(
        await routes[name](toHeading(request), { params: Promise.resolve(params) }),
        response,
      );
    } catch (error) {
      log.error({ err: error, route: name }, 'An answer could not be sent.');
      response.destroy();
    }
  };

  return (request, response) => {
    const found = find(request);
    if (found === null) return false;
    void answer(found, request, response);
    return true;
  };
};
