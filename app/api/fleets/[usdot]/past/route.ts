import { z } from 'zod';
import { readQuery, requireUsdot, requireVersion } from '@/lib/http/input';
import { toLiveResponse } from '@/lib/http/live-response';
import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';
import { momentSchema } from '@/lib/history/server/queries';

export const dynamic = 'force-dynamic';

const querySchema = z.strictObject({ at: momentSchema, since: z.string().optional() });

/** The fleet at a moment of the past, in the format of the live route. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime: { history, clock, versions } }) => {
    const usdot = requireUsdot(params.usdot);
    const { at, since } = readQuery(request, querySchema);
    if (history === null) throw new AppError('recording-off');
    if (at > clock.nowMs()) throw new AppError('bad-input', { detail: 'This moment has not come yet.' });
    const moment = {
      answer: (version: string | null, accept: Parameters<typeof history.past.answer>[3]) =>
        history.past.answer(usdot, at, version, accept),
    };
    return toLiveResponse(moment, requireVersion(since ?? null), request.headers, versions.build);
  },
  { access: 'fleet' },
);
