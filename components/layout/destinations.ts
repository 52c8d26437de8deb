import {
  IconActivityHeartbeat,
  IconDeviceMobile,
  IconDeviceTv,
  IconHelp,
  IconHistory,
  IconKey,
  IconListDetails,
  IconMap2,
  IconSettings,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { toViewSearch } from '@/lib/view/view-state';
import type { Viewer } from '@/lib/auth/viewer';
import { useUsdot, useViewWithPlace } from '../fleet-state/fleet-context';

/** A page that the sidebar leads to. */
export interface Place {
  words: string;
  href: string;
  Icon: typeof IconMap2;
  isHere: boolean;
}

interface ServerPlace extends Omit<Place, 'isHere'> {
  isFor: (viewer: Viewer) => boolean;
}

const isPerson = ({ kind }: Viewer): boolean => kind !== 'screen';
const isManager = ({ role }: Viewer): boolean => role === 'manager';

/** Pages of the server beside those of a fleet. */
const SERVER_PLACES: readonly ServerPlace[] = [
  { words: 'Status', href: '/status', Icon: IconActivityHeartbeat, isFor: isManager },
];

/** What is opened now and then, under More. A new page of the server's is a line here. */
const MORE_PLACES: readonly ServerPlace[] = [
  { words: 'Users', href: '/users', Icon: IconUsers, isFor: isManager },
  { words: 'Audit log', href: '/audit', Icon: IconHistory, isFor: isManager },
  { words: 'API Keys', href: '/api-keys', Icon: IconKey, isFor: isManager },
  { words: 'Devices', href: '/devices', Icon: IconDeviceMobile, isFor: isManager },
  { words: 'Wall screens', href: '/screens', Icon: IconDeviceTv, isFor: isManager },
  { words: 'Settings', href: '/settings', Icon: IconSettings, isFor: isManager },
  { words: 'Your account', href: '/account', Icon: IconUserCircle, isFor: ({ kind }) => kind === 'user' },
];

const HELP: ServerPlace = { words: 'Help', href: '/help', Icon: IconHelp, isFor: () => true };

const toPlaces = (places: readonly ServerPlace[], viewer: Viewer, path: string): Place[] =>
  places
    .filter(({ isFor }) => isFor(viewer))
    .map(({ words, href, Icon }) => ({ words, href, Icon, isHere: path === href }));

export interface Places {
  main: Place[];
  more: Place[];
  help: Place;
}

/** Where a viewer may go from a page that belongs to no fleet. */
export const useServerPlaces = (viewer: Viewer): Places => {
  const path = usePathname();
  const [help] = toPlaces([HELP], viewer, path);
  return {
    main: [
      { words: 'Map', href: '/', Icon: IconMap2, isHere: false },
      ...toPlaces(SERVER_PLACES, viewer, path),
    ],
    more: toPlaces(MORE_PLACES, viewer, path),
    help: help!,
  };
};

/** Where a viewer may go from a page of a fleet. The map is come back to as it was left. */
export const useFleetPlaces = (viewer: Viewer): Places => {
  const base = `/fleets/${useUsdot()}`;
  const path = usePathname();
  const view = useViewWithPlace();
  const { main, ...others } = useServerPlaces(viewer);
  return {
    ...others,
    main: [
      { words: 'Map', href: `${base}${toViewSearch(view)}`, Icon: IconMap2, isHere: path === base },
      ...toPlaces(
        [{ words: 'Roster', href: `${base}/roster`, Icon: IconListDetails, isFor: isPerson }],
        viewer,
        path,
      ),
      ...main.slice(1),
    ],
  };
};
