import { createContext, useContext, useEffect, type ReactNode } from 'react';
import type { Viewer } from '@/lib/base/viewer';
import { adoptOwner, toOwner } from '@/lib/browser/owner';

const ViewerContext = createContext<Viewer | null>(null);

/** The viewer of the pages below. What this browser keeps of another viewer is deleted. */
export const ViewerProvider = ({ viewer, children }: { viewer: Viewer; children: ReactNode }) => {
  const owner = toOwner(viewer);
  useEffect(() => {
    void adoptOwner(owner);
  }, [owner]);
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
};

/** Whether the viewer sees all units of their fleets, rather than those with some tags. */
export const useSeesAllUnits = (): boolean => useViewer().tags === null;

export const useViewer = (): Viewer => {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new Error('useViewer is used outside of <ViewerProvider>.');
  return viewer;
};
