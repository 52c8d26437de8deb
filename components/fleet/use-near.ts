import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useView, useViewActions, useViewStore } from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { UNIT_LIST_ID } from '@/components/list/unit-list';
import type { FleetMapHandle } from '@/components/map/fleet-map-props';
import { useShortcuts } from '@/components/ui/shortcuts';
import type { NearPlace } from '@/lib/view/view-state';
import type { Bounds } from '@/lib/geo/geodesy';

/** The place whose nearest units are listed, and the ways to choose one. */
export const useNear = (map: RefObject<FleetMapHandle | null>) => {
  const { near: place } = useView();
  const { showNear } = useViewActions();
  const store = useViewStore();
  const showCenter = (): void => {
    const { camera } = store.read();
    if (camera !== null) showNear({ lat: camera.lat, lng: camera.lng, name: null });
  };
  useShortcuts({ d: showCenter }, isMapShown);
  return {
    place,
    show: showNear,
    showCenter,
    /** Lists the units about another place, and shows it with the nearest of them, within `bounds`, on the map. */
    goTo: (near: NearPlace, bounds: Bounds): void => {
      showNear(near);
      map.current?.fit(bounds);
    },
    close: (): void => {
      // On a phone the list is rendered only once the panel is gone.
      flushSync(() => showNear(null));
      document.getElementById(UNIT_LIST_ID)?.focus();
    },
  };
};
