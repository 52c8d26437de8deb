import type { Bounds } from '@/lib/geo/geodesy';
import { shallowEqual } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { useMapEvents } from '../leaflet-hooks';
import { Camera } from './camera';
import type { FleetMapProps, MapPadding, MapView } from '../fleet-map-props';
import type { UnitLayer } from '../unit-layer/unit-layer';
import type { Point } from '@/components/map/box-index';

/** The view without any unit: the contiguous states. */
export const UNITED_STATES: Bounds = [24.5, -124.8, 49.4, -66.9];

/** The view is reported at most this often, because a followed unit moves it all the time. */
const REPORT_EVERY_MS = 250;
const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

type CameraProps = FleetMapProps & { isStill: boolean };

const toMapView = (map: LeafletMap): MapView => {
  const { lat, lng } = map.getCenter().wrap();
  const bounds = map.getBounds();
  return {
    lat,
    lng,
    zoom: map.getZoom(),
    bounds: [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()],
  };
};

/** The camera of a map: fits the fleet when it arrives, reveals the selected unit, follows it (`keep`), and reports the view. */
export const useCamera = (
  map: LeafletMap | null,
  layer: RefObject<UnitLayer | null>,
  props: CameraProps,
): { camera: RefObject<Camera | null>; keep(at: Point): void } => {
  const { selectedRow, followed = false, onFollowEnd, onViewChange, padding, isStill } = props;
  const camera = useRef<Camera | null>(null);
  /** The user has moved the map away: it must not be moved back before the page reacts. */
  const hasLetGo = useRef(false);

  useEffect(() => {
    if (!map) return;
    camera.current = new Camera(map);
    return () => {
      camera.current = null;
    };
  }, [map]);

  useMoves(map, {
    onViewChange: (view) => onViewChange?.(view),
    onMovedAway: () => {
      hasLetGo.current = true;
      if (followed) onFollowEnd?.();
    },
  });

  useEffect(() => {
    if (!camera.current) return;
    camera.current.isStill = isStill;
    camera.current.cover(padding);
    camera.current.zoomAboutCenter(followed);
    hasLetGo.current = false;
    if (followed) layer.current?.redraw();
  }, [map, layer, isStill, padding, followed, selectedRow]);

  useFirstView(map, layer, camera, props);
  useReveal(map, layer, camera, props);
  useRevealedPin(map, layer, camera, props);

  const keep = (at: Point): void => {
    if (followed && !hasLetGo.current) camera.current?.keep(at);
  };
  return { camera, keep };
};

interface MoveEvents {
  onViewChange(view: MapView): void;
  /** The user dragged the map, or moved it by the arrow keys. */
  onMovedAway(): void;
}

/** Reports the movements of a map, and its first view. */
const useMoves = (map: LeafletMap | null, events: MoveEvents): void => {
  const onMovedAway = useEffectEvent(events.onMovedAway);
  const onViewChange = useEffectEvent(events.onViewChange);
  useMapEvents(map, { dragstart: events.onMovedAway });
  useEffect(() => {
    if (!map) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reportSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onViewChange(toMapView(map));
      }, REPORT_EVERY_MS);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (ARROWS.has(key)) onMovedAway();
    };
    map.on('moveend', reportSoon);
    map.getContainer().addEventListener('keydown', onKey);
    reportSoon();
    return () => {
      clearTimeout(timer);
      map.off('moveend', reportSoon);
      map.getContainer().removeEventListener('keydown', onKey);
    };
  }, [map]);
};

type CameraPart = (
  map: LeafletMap | null,
  layer: RefObject<UnitLayer | null>,
  camera: RefObject<Camera | null>,
  props: CameraProps,
) => void;

/** Shows the states or the given bounds, and once it is there the fleet or the overlay, unless the page gives a view. */
const useFirstView: CameraPart = (map, layer, camera, props) => {
  const { fleet, fittedRows = null, initialView, initialBounds, overlay } = props;
  const overlaid = overlay?.bounds ?? null;
  const maxZoom = overlay?.maxZoom;
  const hasBegun = useRef(false);

  useEffect(() => {
    if (hasBegun.current || !map || initialView) return;
    camera.current?.fit(initialBounds ?? UNITED_STATES, { animate: false, maxZoom });
  }, [map, camera, initialView, initialBounds, maxZoom]);

  useEffect(() => {
    if (hasBegun.current || !map || !fleet) return;
    const bounds = overlaid ?? layer.current?.boundsOf(fittedRows) ?? layer.current?.boundsOf(null);
    if (!bounds) return;
    hasBegun.current = true;
    if (!initialView) camera.current?.fit(bounds, { animate: false, maxZoom });
  }, [map, layer, camera, fleet, fittedRows, initialView, overlaid, maxZoom]);
};

/** Moves the selected unit out from under what covers the map. */
const useReveal: CameraPart = (map, layer, camera, props) => {
  const { fleet, selectedRow = null, padding, followed = false } = props;
  const revealed = useRef<{ row: number | null; padding: MapPadding } | null>(null);
  useEffect(() => {
    const before = revealed.current;
    // A selection made before the map exists is revealed later.
    if (!map || !fleet) return;
    revealed.current = { row: selectedRow, padding };
    const at = selectedRow === null ? null : layer.current?.placeOf(selectedRow);
    if (!at || followed) return;
    if (before?.row === selectedRow && shallowEqual(before.padding, padding)) return;
    // The first selection came with the page's address, which holds the map's view too.
    camera.current?.reveal(at, { onlyCovered: !before });
  }, [map, layer, camera, fleet, selectedRow, padding, followed]);
};

/** Moves a place that is marked out from under what covers the map. */
const useRevealedPin: CameraPart = (map, _layer, camera, { pin, padding }) => {
  useEffect(() => {
    if (map && pin) camera.current?.reveal(map.latLngToContainerPoint(pin), { onlyCovered: true });
  }, [map, camera, pin, padding]);
};
