import { toLiveResponse } from '@/lib/http/live-response';
import { readLive } from '@/lib/http/live-route';

export const dynamic = 'force-dynamic';

/** In production server/live-fast-path.ts answers before Next.js is asked, by the same function. */
export const GET = async (
  request: Request,
  context: { params: Promise<{ usdot: string }> },
): Promise<Response> => {
  const answer = await readLive(request, context);
  return answer instanceof Response ? answer : toLiveResponse(answer);
};
