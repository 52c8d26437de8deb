import 'server-only';
import type { UnitDetail } from '@/lib/wire/unit';
import type { Feed } from '@/lib/live/feeds';

/** The fleet has no unit of that name. */
export class NoSuchUnitError extends Error {
  override name = 'NoSuchUnitError';
}

/** What the feed knows of one unit, once it knows anything. @throws NoSuchUnitError */
export const readUnitDetail = async (
  feed: Pick<Feed, 'answer' | 'detail' | 'state'>,
  key: string,
): Promise<UnitDetail> => {
  if (feed.state().fetchedAtMs === null) await feed.answer(null, 'identity');
  const detail = await feed.detail(key);
  if (detail === null)
    throw new NoSuchUnitError(`Got ${JSON.stringify(key)} when the key of a unit is expected.`);
  return detail;
};
