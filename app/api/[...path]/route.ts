import { AppError } from '@/lib/base/http/problems';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** An API client gets a problem document for an unknown address, not the HTML page. */
export const GET = createRoute(
  async () => {
    throw new AppError('unknown-address');
  },
  { access: 'anyone' },
);
