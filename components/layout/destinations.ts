import {
  IconActivityHeartbeat,
  IconDeviceMobile,
  IconDeviceTv,
  IconHelp,
  IconHistory,
  IconKey,
  IconMap2,
  IconSettings,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import type { Viewer } from '@/lib/auth/viewer';

/** A page that the rail and the menu link to. */
export interface Destination {
  label: string;
  href: string;
  Icon: typeof IconMap2;
  isHere: boolean;
  /** What is unread there, such as "7"; left out where nothing is. */
  unread?: string;
  /** What the link loads before it is followed, and what it does then: as Next.js's `Link`. */
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

/** Listed under More. Add a new page that belongs to no fleet here. */
const MORE_PAGES: readonly ServerPage[] = [
  { label: 'Users', href: '/users', Icon: IconUsers, isFor: isManager },
  { label: 'Audit log', href: '/audit', Icon: IconHistory, isFor: isManager },
  { label: 'API Keys', href: '/api-keys', Icon: IconKey, isFor: isManager },
  {
    label: 'Devices',
    href: '/devices',
    Icon: IconDeviceMobile,
    isFor: isManager,
    subpage: '/refused-reports',
  },
  { label: 'Wall screens', href: '/screens', Icon: IconDeviceTv, isFor: isManager },
  { label: 'Settings', href: '/settings', Icon: IconSettings, isFor: isManager, subpage: '/fleet-source' },
  { label: 'Your account', href: '/account', Icon: IconUserCircle, isFor: ({ kind }) => kind === 'user' },
];

const HELP: ServerPage = { label: 'Help', href: '/help', Icon: IconHelp, isFor: () => true };

export const toDestinations = (pages: readonly ServerPage[], viewer: Viewer, path: string): Destination[] =>
  pages
    .filter(({ isFor }) => isFor(viewer))
    .map(({ isFor: _, subpage, ...page }) => ({
      ...page,
      isHere: path === page.href || path === subpage || path.startsWith(`${page.href}/`),
    }));

export interface Destinations {
  main: Destination[];
  more: Destination[];
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
