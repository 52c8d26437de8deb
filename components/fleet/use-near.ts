import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useView, useViewActions, useViewStore } from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { UNIT_LIST_ID } from '@/components/list/unit-list';
import type { FleetMapHandle } from '@/components/map/fleet-map-props';
import { useShortcuts } from '@/components/ui/shortcuts';
import { nearestUnits } from '@/lib/view/near/nearest-units';
import { toMapLng } from '@/lib/view/projection';
import type { NearPlace } from '@/lib/view/view-state';
import { readUnitRow } from '@/lib/view/unit-row';
import type { Fleet } from '@/lib/wire/fleet';
import type { LatLng } from '@/lib/wire/units';

/** So many of the nearest units are shown with a place that was chosen by its name. */
const SHOWN_UNITS = 5;

/** South, west, north, east. */
const boundsOf = (places: readonly LatLng[]): [number, number, number, number] => {
  const [lats, lngs] = [places.map(({ lat }) => lat), places.map(({ lng }) => toMapLng(lng))];
  return [Math.min(...lats), Math.min(...lngs), Math.max(...lats), Math.max(...lngs)];
};

/** The place whose nearest units are listed, and the ways to choose one. */
export const useNear = (fleet: Fleet | null, rows: Int32Array, map: RefObject<FleetMapHandle | null>) => {
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
    /** Lists the units about another place, and shows it with the nearest of them on the map. */
    goTo: (near: NearPlace): void => {
      showNear(near);
      const units = fleet === null ? [] : nearestUnits(fleet, rows, near, SHOWN_UNITS);
      const places = units.flatMap(({ row }) => readUnitRow(fleet!, row)?.position ?? []);
      map.current?.fit(boundsOf([near, ...places]));
    },
    close: (): void => {
      // On a phone the list is rendered only once the panel is gone.
      flushSync(() => showNear(null));
      document.getElementById(UNIT_LIST_ID)?.focus();
    },
  };
};
