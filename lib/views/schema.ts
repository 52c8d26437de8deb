import { flag, list, nullable, object, text, type ShapeOf } from '@/lib/base/shape';

export const LONGEST_VIEW_NAME = 60;

const savedViewSchema = object({
  id: text,
  name: text,
  /** The query of its address: "" or "?…". */
  search: text,
  /** Whether it is the reader's; otherwise another reader shares it. */
  isOwn: flag,
  isShared: flag,
  /** The name of its maker; null where that is not known. */
  by: nullable(text),
});
export type SavedView = ShapeOf<typeof savedViewSchema>;

/** GET /api/fleets/:usdot/views: the reader's own and the shared views of a fleet, and which one the start page shows. */
export const viewsSchema = object({ views: list(savedViewSchema), startId: nullable(text) });

/** POST /api/fleets/:usdot/views. */
export type ViewInput = Pick<SavedView, 'name' | 'search' | 'isShared'> & {
  /** The start page shows it. */
  isStart: boolean;
};

/** Who sees a view besides its maker: "shared by Ann", "shared"; empty for a personal one. */
export const sharedText = ({ isOwn, isShared, by }: Pick<SavedView, 'isOwn' | 'isShared' | 'by'>): string => {
  if (!isOwn) return by === null ? 'shared' : `shared by ${by}`;
  return isShared ? 'shared with the fleet' : '';
};
