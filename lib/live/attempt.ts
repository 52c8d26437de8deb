import 'server-only';
import type { Feed } from '@/lib/live/feeds';

/** The provider was requested so shortly before that another attempt is refused. */
export class AttemptTooSoonError extends Error {
  override name = 'AttemptTooSoonError';

  constructor(readonly retryAfterS: number) {
    super(`The next attempt is allowed in ${retryAfterS} s.`);
  }
}

/**
 * Ends a feed's wait after a failure. All users together may do so once in `tryNowEveryMs`.
 *
 * @throws AttemptTooSoonError
 */
export const attemptNow = async (feed: Pick<Feed, 'tryNow'>): Promise<void> => {
  const waitMs = await feed.tryNow();
  if (waitMs > 0) throw new AttemptTooSoonError(Math.ceil(waitMs / 1000));
};
