import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { Feed } from '@/lib/live/feeds';

/**
 * Ends a feed's wait after a failure. All users together may do so once in `tryNowEveryMs`.
 *
 * @throws AppError 'attempt-too-soon'
 */
export const attemptNow = async (feed: Pick<Feed, 'tryNow'>): Promise<void> => {
  const waitMs = await feed.tryNow();
  if (waitMs > 0) throw new AppError('attempt-too-soon', { retryAfterS: Math.ceil(waitMs / 1000) });
};
