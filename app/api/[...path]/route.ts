import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** An API client gets a problem document for an unknown address, not the HTML page. */
export const GET = createRoute(
  async () => {
    throw new AppError('unknown-address');
  },
  { access: 'anyone' },
);
