import type { Viewer } from '@/lib/base/viewer';
import { browserStore, withCaches } from '@/lib/base/stored';

/** The cache that holds the last known fleets of one viewer, and the pages that show them. */
export const COPIES = 'linehaul-copies';
/** The key of whose copies they are. A page writes copies only as long as it is of that viewer. */
export const OWNER_KEY = 'linehaul-copies-of';

/** Who the copies belong to, with everything that decides what the viewer may see. */
export const toOwner = ({ kind, id, role, usdots, tags }: Viewer): string =>
  JSON.stringify([kind, id, role, usdots, tags]);

/** Deletes every copy. Pages that are still open write no other, until a page of a viewer opens. */
export const forgetCopies = async (): Promise<void> => {
  browserStore.remove(OWNER_KEY);
  await withCaches((caches) => caches.delete(COPIES));
};

/** A page of a viewer has opened: deletes the copies of any other viewer. */
export const adoptOwner = async (owner: string): Promise<void> => {
  if (isOwner(owner)) return;
  await forgetCopies();
  // An owner that no other tab can read would not end when another tab signs out.
  if (!browserStore.set(OWNER_KEY, owner)) browserStore.remove(OWNER_KEY);
};

/** Whether the copies are of an owner: not where another viewer has signed in since, or this one has signed out. */
export const isOwner = (owner: string): boolean => browserStore.get(OWNER_KEY) === owner;
