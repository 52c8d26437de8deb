import type { SavedView } from './schema';

/** Who sees a view besides its maker: "shared by Ann", "shared"; empty for a personal one. */
export const sharedText = ({ isOwn, isShared, by }: Pick<SavedView, 'isOwn' | 'isShared' | 'by'>): string => {
  if (!isOwn) return by === null ? 'shared' : `shared by ${by}`;
  return isShared ? 'shared with the fleet' : '';
};
