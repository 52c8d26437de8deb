import { AppError } from '@/lib/base/http/problems';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'The script of the service worker, which shows the last known fleet where the server cannot be reached.',
  access: 'anyone',
  handle: ({ serviceWorker }) => {
    if (serviceWorker === null) throw new AppError('unknown-address');
    return new Response(serviceWorker, {
      // A browser compares it with its own after each navigation: only so does a new build replace the old one.
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
    });
  },
});
