import { requireVersion } from '@/lib/access/input';
import { toLiveResponse } from '@/lib/access/live-response';
import { createHeadRoute } from '@/server/route';

/** Browsers poll it; server/http/fast-path.ts calls it without Next.js (decision 23). */
export const GET = createHeadRoute({
  summary: 'The fleet as it is now, as what has changed since the version that the browser holds.',
  access: 'map',
  params: ['usdot'],
  handle: ({ request, usdot, viewer, fleets, viewers, versions }) => {
    const since = requireVersion(new URL(request.url).searchParams.get('since'));
    const feed = fleets.feed(usdot, viewer);
    viewers.record(usdot, request.headers);
    return toLiveResponse(feed, since, request.headers, versions.build);
  },
});
