import { useEffect, useEffectEvent, useRef } from 'react';
import type { RefObject } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { Camera } from './camera';
import type { FleetMapProps, MapPadding, MapView } from './fleet-map-props';
import type { UnitLayer } from './unit-layer/unit-layer';
import type { Bounds, Point } from './unit-layer/unit-scene';

/** Where the map looks while there is no unit to look at: the contiguous states. */
export const UNITED_STATES: Bounds = [24.5, -124.8, 49.4, -66.9];

/** The view is reported at most this often, because a followed unit moves it all the time. */
const TELL_EVERY_MS = 250;
const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

type CameraProps = Pick<
  FleetMapProps,
  'fleet' | 'selectedRow' | 'followed' | 'onFollowEnd' | 'onViewChange' | 'initialView' | 'padding'
> & { isStill: boolean };

const toMapView = (map: LeafletMap): MapView => {
  const { lat, lng } = map.getCenter();
  const bounds = map.getBounds();
  return {
    lat,
    lng,
    zoom: map.getZoom(),
    bounds: {
      south: bounds.getSouth(),
      west: bounds.getWest(),
      north: bounds.getNorth(),
      east: bounds.getEast(),
    },
  };
};

const isSame = (a: MapPadding, b: MapPadding): boolean =>
  a.top === b.top && a.right === b.right && a.bottom === b.bottom && a.left === b.left;

/** The camera of a map: fits the fleet when it comes, reveals what is selected, follows (`keep`), and tells the view. */
export const useCamera = (
  map: LeafletMap | null,
  layer: RefObject<UnitLayer | null>,
  { fleet, selectedRow, followed, onFollowEnd, onViewChange, initialView, padding, isStill }: CameraProps,
): { camera: RefObject<Camera | null>; keep(at: Point): void } => {
  const camera = useRef<Camera | null>(null);
  const hasBegun = useRef(false);
  const revealed = useRef<{ row: number | null; padding: MapPadding } | null>(null);
  /** The view that shows the states beside what covers the map. */
  const fitted = useRef<string | null>(null);
  /** The user has moved the map away, whatever the page makes of it: it must not be pulled back meanwhile. */
  const hasLetGo = useRef(false);
  const letGo = useEffectEvent(() => {
    hasLetGo.current = true;
    if (followed) onFollowEnd();
  });
  const tell = useEffectEvent((view: MapView) => onViewChange(view));

  useEffect(() => {
    if (!map) return;
    camera.current = new Camera(map);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tellSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        tell(toMapView(map));
      }, TELL_EVERY_MS);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (ARROWS.has(key)) letGo();
    };
    map.on('moveend', tellSoon);
    map.on('dragstart', letGo);
    map.getContainer().addEventListener('keydown', onKey);
    tellSoon();
    return () => {
      clearTimeout(timer);
      map.off('moveend', tellSoon);
      map.off('dragstart', letGo);
      map.getContainer().removeEventListener('keydown', onKey);
      camera.current = null;
    };
  }, [map]);

  useEffect(() => {
    if (!camera.current) return;
    camera.current.isStill = isStill;
    camera.current.padding = padding;
    camera.current.zoomAboutCentre(followed);
    hasLetGo.current = false;
    if (followed) layer.current?.redraw();
  }, [map, layer, isStill, padding, followed, selectedRow]);

  useEffect(() => {
    if (hasBegun.current || !map || initialView) return;
    const view = `${map.getZoom()} ${map.getCenter()}`;
    // A map that the user has moved stays where it is.
    if (fitted.current !== null && fitted.current !== view) return;
    camera.current?.fit(UNITED_STATES, { animate: false });
    fitted.current = `${map.getZoom()} ${map.getCenter()}`;
  }, [map, initialView, padding]);

  useEffect(() => {
    if (hasBegun.current || !map || !fleet) return;
    const bounds = layer.current?.boundsOf(null);
    if (!bounds) return;
    hasBegun.current = true;
    if (!initialView) camera.current?.fit(bounds, { animate: false });
  }, [map, layer, fleet, initialView]);

  useEffect(() => {
    const before = revealed.current;
    // What comes before the map is there is not shown yet, and still to be revealed.
    if (!map || !fleet) return;
    revealed.current = { row: selectedRow, padding };
    const at = selectedRow === null ? null : layer.current?.placeOf(selectedRow);
    if (!at || followed) return;
    if (before?.row === selectedRow && isSame(before.padding, padding)) return;
    // The first selection came with the page's address, which says itself where the map looks.
    camera.current?.reveal(at, { onlyCovered: !before });
  }, [map, layer, fleet, selectedRow, padding, followed]);

  const keep = (at: Point): void => {
    if (followed && !hasLetGo.current) camera.current?.keep(at);
  };
  return { camera, keep };
};
