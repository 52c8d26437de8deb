import { AppError } from '@/lib/base/http/problems';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  // An API client gets a problem document, not the HTML page.
  summary: 'An unknown address.',
  access: 'anyone',
  handle: () => {
    throw new AppError('unknown-address');
  },
});
