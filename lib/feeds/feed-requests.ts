import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import type { UnitDetail } from '@/lib/wire/unit';
import type { Feed } from './feeds';

/**
 * Ends a feed's wait after a failure; allowed once in `tryNowEveryMs` for all users together.
 *
 * @throws AppError 'attempt-too-soon'
 */
export const attemptNow = async (feed: Pick<Feed, 'tryNow'>): Promise<void> => {
  const waitMs = await feed.tryNow();
  if (waitMs > 0) throw new AppError('attempt-too-soon', { retryAfterS: Math.ceil(waitMs / 1000) });
};

/** The detail of one unit, after the feed's first answer. @throws AppError 'unknown-unit' */
export const readUnitDetail = async (
  feed: Pick<Feed, 'answer' | 'detail' | 'state'>,
  key: string,
): Promise<UnitDetail> => {
  if (feed.state().fetchedAtMs === null) await feed.answer(null, 'identity');
  const detail = await feed.detail(key);
  if (detail === null) throw new AppError('unknown-unit');
  return detail;
};
