import { usePathname } from 'next/navigation';
import { readLocation } from '@/lib/browser/history-limit';

const MAP_PATH = /^\/fleets\/[^/]+\/?$/;

/** Whether the page on the screen is a fleet's map, at this moment. */
export const isMapShown = (): boolean => MAP_PATH.test(readLocation().pathname);

export const useIsMapShown = (): boolean => MAP_PATH.test(usePathname());

const FLEET_PATH = /^\/fleets\//;

/** Whether the page on the screen has the map of its fleet in its layout, which a page that belongs to no fleet has not. */
const hasMap = (): boolean => FLEET_PATH.test(readLocation().pathname);

/** Shows the map of the fleet on the screen, at the address `href`: on a page of the fleet it is there already, so that no request is needed; on another page `load` opens it. */
export const openMap = (
  href: string,
  load: (href: string) => void = (to) => window.location.assign(to),
): void => {
  if (hasMap()) window.history.pushState(null, '', href);
  else load(href);
};

export const toMapLink = (href: string) => ({
  href,
  prefetch: false,
  onNavigate: (event: { preventDefault: () => void }): void => {
    if (!hasMap()) return;
    event.preventDefault();
    openMap(href);
  },
});
