import { IconActivityHeartbeat, IconHelp, IconMap2 } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import type { Viewer } from '@/lib/base/viewer';

/** A page that the rail and the menu link to. */
export interface Destination {
  label: string;
  href: string;
  Icon: typeof IconMap2;
  isHere: boolean;
  /** How many items need someone there, such as "7"; left out where there are none. */
  waiting?: string;
  /** As of Next.js's `Link`. */
  prefetch?: boolean;
  onNavigate?: (event: { preventDefault: () => void }) => void;
}

export interface ServerPage extends Omit<Destination, 'isHere'> {
  /** The page that only this one links to. */
  subpage?: string;
  isFor: (viewer: Viewer) => boolean;
}

export const isManager = ({ role }: Viewer): boolean => role === 'manager';

const SERVER_PAGES: readonly ServerPage[] = [
  { label: 'Status', href: '/status', Icon: IconActivityHeartbeat, isFor: isManager },
];

const HELP: ServerPage = { label: 'Help', href: '/help', Icon: IconHelp, isFor: () => true };

export const toDestinations = (pages: readonly ServerPage[], viewer: Viewer, path: string): Destination[] =>
  pages
    .filter(({ isFor }) => isFor(viewer))
    .map(({ isFor: _, subpage, ...page }) => ({
      ...page,
      isHere: [page.href, subpage].some((at) => path === at || path.startsWith(`${at}/`)),
    }));

export interface Destinations {
  main: Destination[];
  help: Destination;
}

/** The pages that the viewer may open from a page that belongs to no fleet. */
export const useServerDestinations = (viewer: Viewer): Destinations => {
  const path = usePathname();
  const [help] = toDestinations([HELP], viewer, path);
  return {
    main: [
      { label: 'Map', href: '/', Icon: IconMap2, isHere: false },
      ...toDestinations(SERVER_PAGES, viewer, path),
    ],
    help: help!,
  };
};
