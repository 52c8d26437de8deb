import { z } from 'zod';
import { momentSchema, queryHistory } from '@/lib/past/server/queries';
import { requireVersion } from '@/lib/access/input';
import { toLiveResponse } from '@/lib/access/live-response';
import { AppError } from '@/lib/base/http/problems';
import { createHeadRoute } from '@/server/route';

/** Answered without Next.js, as the live route is. */
export const GET = createHeadRoute({
  summary: 'The fleet at a moment of the past, in the format of the live route.',
  access: 'fleet',
  params: ['usdot'],
  query: z.strictObject({ at: momentSchema, since: z.string().optional() }),
  handle: (context) => {
    const { request, usdot, query, versions } = context;
    const version = requireVersion(query.since ?? null);
    if (query.at > context.clock.nowMs())
      throw new AppError('bad-input', { detail: 'This moment has not come yet.' });
    return queryHistory(context, context.viewer, ({ past }) =>
      toLiveResponse(
        { answer: (held, accept) => past.answer(usdot, query.at, held, accept) },
        version,
        request.headers,
        versions.build,
      ),
    );
  },
});
