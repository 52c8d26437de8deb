'use client';

import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';
import type { Viewer } from '@/lib/auth/viewer';

const ViewerContext = createContext<Viewer | null>(null);

export const ViewerProvider = ({ viewer, children }: { viewer: Viewer; children: ReactNode }) => (
  <ViewerContext value={viewer}>{children}</ViewerContext>
);

/** A wall screen is shown the map of its fleets, and no way to anything else. */
export const useIsWallScreen = (): boolean => useViewer().kind === 'screen';

/** Who looks at the page. */
export const useViewer = (): Viewer => {
  const viewer = useContext(ViewerContext);
  if (viewer === null) throw new Error('useViewer is used outside of <ViewerProvider>.');
  return viewer;
};
