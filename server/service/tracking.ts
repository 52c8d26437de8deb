import 'server-only';
import { getRequestListener } from '@hono/node-server';
import { createRoute } from '@/server/route';
import { readRequestContext } from '@/server/runtime';
import { REQUEST_ID_HEADER } from '@/service/http/http-server';

const serve = createRoute({
  summary: 'The embedded tracking service, which checks methods and credentials itself.',
  access: 'token',
  handle: ({ request, serveTracking }) => serveTracking(request),
});

/** Answers a request to the embedded tracking service. */
export const answerTracking = (request: Request): Promise<Response> =>
  serve(request, { params: Promise.resolve({}) });

/** Mounts it in the HTTP server. */
export const trackingListener = getRequestListener(
  (request) => {
    const requestId = readRequestContext()?.requestId;
    if (requestId !== undefined) request.headers.set(REQUEST_ID_HEADER, requestId);
    return answerTracking(request);
  },
  { overrideGlobalObjects: false },
);
