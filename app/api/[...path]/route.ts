import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** A caller of the API reads problem documents, not the page that a person gets for a wrong address. */
export const GET = createRoute(
  async () => {
    throw new AppError('unknown-address');
  },
  { access: 'anyone' },
);
