import 'server-only';
import { getRequestListener } from '@hono/node-server';
import { createRoute } from '@/server/route';
import { withRequestId } from './upstream';

const serve = createRoute({
  summary: 'The embedded tracking service, which checks methods and credentials itself.',
  access: 'token',
  handle: ({ request, serveTracking }) => serveTracking(request),
});

export const answerTracking = (request: Request): Promise<Response> =>
  serve(request, { params: Promise.resolve({}) });

export const trackingListener = getRequestListener((request) => answerTracking(withRequestId(request)), {
  overrideGlobalObjects: false,
});
