import { IconListDetails, IconMap2 } from '@tabler/icons-react';
import { usePathname } from 'next/navigation';
import { toDestinations, useServerDestinations } from '@/components/layout/destinations';
import type { Destinations } from '@/components/layout/destinations';
import type { Viewer } from '@/lib/auth/viewer';
import { toViewSearch } from '@/lib/view/view-state';
import { useUsdot, useViewWithPlace } from '../fleet-state/fleet-context';

/** What the viewer may open from a page of a fleet. The map's link keeps the view that was left. */
export const useFleetDestinations = (viewer: Viewer): Destinations => {
  const base = `/fleets/${useUsdot()}`;
  const path = usePathname();
  const view = useViewWithPlace();
  const { main, ...others } = useServerDestinations(viewer);
  const roster = {
    label: 'Roster',
    href: `${base}/roster`,
    Icon: IconListDetails,
    isFor: ({ kind }: Viewer) => kind !== 'screen',
  };
  return {
    ...others,
    main: [
      { label: 'Map', href: `${base}${toViewSearch(view)}`, Icon: IconMap2, isHere: path === base },
      ...toDestinations([roster], viewer, path),
      ...main.slice(1),
    ],
  };
};
