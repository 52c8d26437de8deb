import 'server-only';
import { getRequestListener } from '@hono/node-server';
import { createRoute } from '@/lib/access/route';
import { withRequestId } from './upstream';

const serve = createRoute(async ({ request, runtime }) => runtime.serveTracking(request), {
  access: 'token',
});

/** Answers a request to the embedded tracking service, which checks methods and credentials itself. */
export const answerTracking = (request: Request): Promise<Response> =>
  serve(request, { params: Promise.resolve({}) });

/** Mounts it in the HTTP server. */
export const trackingListener = getRequestListener((request) => answerTracking(withRequestId(request)), {
  overrideGlobalObjects: false,
});
