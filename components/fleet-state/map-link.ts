import { usePathname } from 'next/navigation';
import { readLocation } from '@/lib/browser/history-limit';

const MAP_PATH = /^\/fleets\/[^/]+\/?$/;

/** Whether the page on the screen is a fleet's map, at this moment. */
export const isMapShown = (): boolean => MAP_PATH.test(readLocation().pathname);

export const useIsMapShown = (): boolean => MAP_PATH.test(usePathname());

/** Shows the map of the fleet on the screen, at the address `href`: it is there already, so that no request is needed. */
export const openMap = (href: string): void => window.history.pushState(null, '', href);

export const toMapLink = (href: string) => ({
  href,
  prefetch: false,
  onNavigate: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    openMap(href);
  },
});
