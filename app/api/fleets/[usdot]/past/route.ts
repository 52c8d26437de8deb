import { z } from 'zod';
import { momentSchema, queryHistory } from '@/lib/past/server/queries';
import { readQuery, requireUsdot, requireVersion } from '@/lib/access/input';
import { toLiveResponse } from '@/lib/access/live-response';
import { AppError } from '@/lib/base/http/problems';
import { createRoute, type RequestHead } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

const querySchema = z.strictObject({ at: momentSchema, since: z.string().optional() });

/** The fleet at a moment of the past, in the format of the live route; answered without Next.js, as that is. */
export const GET = createRoute<{ usdot: string }, RequestHead>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { at, since } = readQuery(request, querySchema);
    const version = requireVersion(since ?? null);
    if (at > runtime.clock.nowMs())
      throw new AppError('bad-input', { detail: 'This moment has not come yet.' });
    return queryHistory(runtime, viewer, ({ past }) =>
      toLiveResponse(
        { answer: (held, accept) => past.answer(usdot, at, held, accept) },
        version,
        request.headers,
        runtime.versions.build,
      ),
    );
  },
  { access: 'fleet' },
);
