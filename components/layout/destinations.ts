import { IconActivityHeartbeat, IconHelp, IconMap2 } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import type { Viewer } from '@/lib/base/viewer';

/** A page that the rail and the menu link to. */
export interface Destination {
  label: string;
  href: string;
  Icon: typeof IconMap2;
  isHere: boolean;
  /** The number of open items there that need someone, such as "7"; left out where there are none. */
  waiting?: string;
  /** As of Next.js's `Link`. */
  prefetch?: boolean;
  onNavigate?: (event: { preventDefault: () => void }) => void;
}

interface ServerPage extends Omit<Destination, 'isHere'> {
  /** The page that only this one links to. */
  subpage?: string;
  isFor: (viewer: Viewer) => boolean;
}

const isManager = ({ role }: Viewer): boolean => role === 'manager';

const SERVER_PAGES: readonly ServerPage[] = [
  { label: 'Status', href: '/status', Icon: IconActivityHeartbeat, isFor: isManager },
];

type Addressed<Page> = Omit<Page, 'href'> & { href: MoreHref };
export type MoreHref = '/users' | '/audit' | '/api-keys' | '/devices' | '/screens' | '/settings' | '/account';

/** Listed under More. Add a new page that belongs to no fleet here; its icon loads with the menu. */
const MORE_PAGES: readonly Addressed<Omit<ServerPage, 'Icon'>>[] = [
  { label: 'Users', href: '/users', isFor: isManager },
  { label: 'Audit log', href: '/audit', isFor: isManager },
  { label: 'API keys', href: '/api-keys', isFor: isManager },
  { label: 'Devices', href: '/devices', isFor: isManager, subpage: '/refused-reports' },
  { label: 'Wall screens', href: '/screens', isFor: isManager },
  { label: 'Settings', href: '/settings', isFor: isManager, subpage: '/fleet-source' },
  { label: 'Your account', href: '/account', isFor: ({ kind }) => kind === 'user' },
];

const HELP: ServerPage = { label: 'Help', href: '/help', Icon: IconHelp, isFor: () => true };

export const toDestinations = <Page extends Omit<ServerPage, 'Icon'>>(
  pages: readonly Page[],
  viewer: Viewer,
  path: string,
): (Omit<Page, 'isFor' | 'subpage'> & Pick<Destination, 'isHere'>)[] =>
  pages
    .filter(({ isFor }) => isFor(viewer))
    .map(({ isFor: _, subpage, ...page }) => ({
      ...page,
      isHere: path === page.href || path === subpage || path.startsWith(`${page.href}/`),
    }));

export type MoreDestination = Addressed<Omit<Destination, 'Icon'>>;

export interface Destinations {
  main: Destination[];
  more: MoreDestination[];
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
    more: toDestinations(MORE_PAGES, viewer, path),
    help: help!,
  };
};
