import 'server-only';
import { AppError } from '@/lib/http/problems';
import type { UnitDetail } from '@/lib/wire/unit';
import type { Feed } from '@/lib/live/feeds';

/** What the feed knows of one unit, once it knows anything. @throws AppError 'unknown-unit' */
export const readUnitDetail = async (
  feed: Pick<Feed, 'answer' | 'detail' | 'state'>,
  key: string,
): Promise<UnitDetail> => {
  if (feed.state().fetchedAtMs === null) await feed.answer(null, 'identity');
  const detail = await feed.detail(key);
  if (detail === null) throw new AppError('unknown-unit');
  return detail;
};
