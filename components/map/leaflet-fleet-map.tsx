import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import {
  Suspense,
  startTransition,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { MapContainer } from 'react-leaflet';
import type { LatLngBoundsLiteral, Map as LeafletMap } from 'leaflet';
import { useOldCopy } from '../fleet-state/old-copy';
import { onDemand, usePreloadAtFirstInput } from '../ui/popup/on-demand';
import { FIT_SNAP, MAP_CRS, keepInTurn } from './camera/camera';
import { useBasemap } from './base-map/use-basemap';
import type { RasterView } from './raster/raster-source';
import { useRaster, useStreets } from './raster/use-sources';
import styles from './fleet-map.module.css';
import { GroundMenu } from './overlays/ground-menu';
import { MapControls } from './overlays/map-controls';
import { MapFoot } from './overlays/map-foot';
import { SelectedMarker, type SelectedMarkerHandle } from './overlays/selected-marker';
import { toPick, type GlyphHit } from './unit-layer/hit-test';
import { toEpoch } from './unit-layer/places/unit-places';
import { UNITED_STATES, useCamera } from './camera/use-camera';
import { useUnitLayer } from './unit-layer/use-unit-layer';
import type { MapTiles } from '@/lib/map/schema';
import type { FleetMapHandle, FleetMapProps } from './fleet-map-props';
import type { NameSheet } from './names/name-sheet';
import type { Theme } from './palette';

const sitesPart = onDemand(() => import('./sites/sites-overlay').then(({ SitesOverlay }) => SitesOverlay));
const tailsPart = onDemand(() => import('./tails/tails-overlay').then(({ TailsOverlay }) => TailsOverlay));
const pinPart = onDemand(() => import('./overlays/pin').then(({ Pin }) => Pin));
const measurePart = onDemand(() => import('./measure/measure').then(({ Measure }) => Measure));
const unitPopup = onDemand(() => import('./overlays/unit-popup').then(({ UnitPopup }) => UnitPopup));
const unitTooltip = onDemand(() => import('./overlays/unit-tooltip').then(({ UnitTooltip }) => UnitTooltip));

const [SOUTH, WEST, NORTH, EAST] = UNITED_STATES;
const BEGIN: LatLngBoundsLiteral = [
  [SOUTH, WEST],
  [NORTH, EAST],
];
const MAX_ZOOM = 18;
/** A map that is less wide, as on a phone on its side, may show more of the world. */
const SMALL_PX = 860;
const MAP_OPTIONS = {
  zoomSnap: FIT_SNAP,
  minZoom: 3,
  maxZoom: MAX_ZOOM,
  zoomControl: false,
  attributionControl: false,
  fadeAnimation: false,
  crs: MAP_CRS,
  bounceAtZoomLimits: false,
} as const;
const DISPLAY_OPTIONS = {
  dragging: false,
  keyboard: false,
  scrollWheelZoom: false,
  doubleClickZoom: false,
  touchZoom: false,
  boxZoom: false,
} as const;

const toMask = (rows: ArrayLike<number> | null, size: number): Uint8Array | null => {
  if (!rows) return null;
  const mask = new Uint8Array(size);
  for (let i = 0; i < rows.length; i++) mask[rows[i]!] = 1;
  return mask;
};

/** The unit layer and the camera of a map, the glyph under the pointer, and the one whose units are listed. */
const useUnits = (
  map: LeafletMap | null,
  props: FleetMapProps,
  marker: RefObject<SelectedMarkerHandle | null>,
  theme: Theme,
  isStill: boolean,
  hasNames: boolean,
) => {
  const { fleet, visibleRows = null, selectedRow = null, detail = null, onSelectRow } = props;
  const pace = isStill ? 0 : (props.pace ?? 1);
  const marks = props.overlay?.marks;
  const [hovered, setHovered] = useState<GlyphHit | null>(null);
  const [opened, setOpened] = useState<GlyphHit | null>(null);
  const epoch = fleet && toEpoch(fleet);
  const [openedIn, setOpenedIn] = useState(epoch);
  // Its rows mean other units now.
  if (epoch !== openedIn) {
    setOpenedIn(epoch);
    setOpened(null);
  }
  const rows = fleet?.rows ?? 0;
  const visible = useMemo(() => toMask(visibleRows, rows), [visibleRows, rows]);
  const [track, unconfirmed] = [detail?.track ?? null, detail?.unconfirmed ?? null];
  const layer = useUnitLayer(
    map,
    { fleet, visible, selectedRow, track, unconfirmed, pace, theme, hasNames, marks },
    {
      onHover: setHovered,
      onPick: (hit) => {
        if (props.measuring) return;
        const pick = toPick(hit, layer.current?.boundsOf(hit?.rows ?? []) ?? null);
        setOpened(pick.kind === 'list' ? pick.hit : null);
        if (pick.kind === 'unit') onSelectRow?.(pick.row);
        if (pick.kind === 'ground' && !opened) onSelectRow?.(null);
        if (pick.kind === 'zoom') camera.current?.fit(pick.bounds, { maxZoom: MAX_ZOOM });
      },
      onSelectedAt: (at) => keep(at),
      onDrawn: ({ selected }) => marker.current?.place(selected),
    },
  );
  const { camera, keep } = useCamera(map, layer, { ...props, isStill });
  const handle = useMapHandle(props, layer, camera);
  return { layer, camera, visible, hovered, opened, close: () => setOpened(null), handle };
};

const useMapHandle = (
  { ref, overlay, fittedRows = null }: FleetMapProps,
  layer: ReturnType<typeof useUnitLayer>,
  camera: ReturnType<typeof useCamera>['camera'],
): FleetMapHandle => {
  const overlaid = overlay?.bounds ?? null;
  const fitFleet = (): void => {
    const bounds = overlaid ?? layer.current?.boundsOf(fittedRows) ?? layer.current?.boundsOf(null);
    if (bounds) camera.current?.fit(bounds, { maxZoom: overlay?.maxZoom });
  };
  const flyToRow = (row: number): void => {
    const bounds = layer.current?.boundsOf([row]);
    if (bounds) camera.current?.flyTo([bounds[0], bounds[1]]);
  };
  const handle: FleetMapHandle = {
    fitFleet,
    flyToRow,
    fit: (bounds) => camera.current?.fit(bounds),
    goTo: (view) => camera.current?.goTo(view),
  };
  useImperativeHandle(ref, () => handle);
  return handle;
};

interface GroundOptions {
  tiles: MapTiles | null;
  raster: RasterView;
  theme: Theme;
  onNames(sheet: NameSheet): void;
}

/** The base map and the street map; returns the credit and the notice of all that lies under the units. */
const useGround = (map: LeafletMap | null, { tiles, raster, theme, onNames }: GroundOptions) => {
  const { streets, view, onTile } = useStreets(tiles);
  const { isBroken, isPartial } = useBasemap(map, { theme, streets, onNames, onStreets: onTile });
  return {
    credit: tiles?.kind === 'raster' ? tiles.attribution : (streets?.attribution ?? null),
    note: toNote(isBroken, raster === 'missing' || view === 'missing' || isPartial),
  };
};

export function LeafletFleetMap(props: FleetMapProps) {
  const { fleet, selectedRow = null, tiles, describe, initialView, isDisplay = false } = props;
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [begin] = useState(initialView ? { center: initialView, zoom: initialView.zoom } : { bounds: BEGIN });
  const marker = useRef<SelectedMarkerHandle>(null);
  const isStill = useReducedMotion();
  const theme = useComputedColorScheme('light');
  const old = useOldCopy();
  const raster = useRaster(map, tiles);
  // Raster tiles have names of their own.
  const units = useUnits(map, props, marker, theme, isStill, raster !== 'shown');
  const takeNames = (sheet: NameSheet): void => units.layer.current?.takeNames(sheet);
  const ground = useGround(map, { tiles, raster, theme, onNames: takeNames });
  const { handle } = units;

  const takeMap = (created: LeafletMap | null): void => {
    if (created) prepareMap(created, props.overlay?.name ?? 'the fleet', isDisplay);
    // What is on the map is made in tasks of its own: together they would hold up a phone's input.
    startTransition(() => setMap(created));
  };

  return (
    <div
      className={styles.root}
      data-print="as-shown"
      data-theme={theme}
      data-old={old?.state}
      data-display={isDisplay}
    >
      <MapContainer
        ref={takeMap}
        className={styles.map}
        {...begin}
        {...MAP_OPTIONS}
        {...(isDisplay ? DISPLAY_OPTIONS : null)}
        zoomAnimation={!isStill}
      />
      {map && (
        <>
          <SelectedMarker
            handle={marker}
            summary={selectedRow === null || !fleet ? null : describe(selectedRow)}
            onActivate={() => selectedRow !== null && handle.flyToRow(selectedRow)}
          />
          <UnderUnits {...props} map={map} units={units} />
          <Furniture {...props} map={map} ground={ground} onFit={handle.fitFleet} />
          {isDisplay ? null : <Inspected {...props} map={map} units={units} />}
        </>
      )}
    </div>
  );
}

interface PartProps extends FleetMapProps {
  map: LeafletMap;
  units: ReturnType<typeof useUnits>;
}

/** What is drawn between the base map and the units. */
const UnderUnits = ({ map, units, sites, tails, fleet, selectedRow = null }: PartProps) => (
  <>
    {sites ? (
      <Suspense>
        <sitesPart.Part
          {...sites}
          map={map}
          isUnitHovered={units.hovered !== null}
          onNames={(sheet) => units.layer.current?.takeSiteNames(sheet)}
        />
      </Suspense>
    ) : null}
    {fleet && tails ? (
      <Suspense>
        <tailsPart.Part {...{ map, minutes: tails, fleet, visible: units.visible, selectedRow }} />
      </Suspense>
    ) : null}
  </>
);

/** Adds the zoom to a rectangle that is dragged with Shift, which only a pointer has. */
const addBoxZoom = async (map: LeafletMap): Promise<void> => {
  const { BoxZoom } = await import('leaflet/src/map/handler/Map.BoxZoom.js');
  // A map that was removed has no panes.
  if (map.boxZoom === undefined && map.getPane('mapPane')) map.addHandler('boxZoom', BoxZoom);
};

/** The glyph under the pointer in words, or the list of those that a click cannot tell apart. */
const Inspected = ({ map, units, fleet, padding, describe, onSelectRow }: PartProps) => {
  const { hovered, opened, close } = units;
  usePreloadAtFirstInput(() => {
    unitTooltip.preload();
    unitPopup.preload();
    void addBoxZoom(map).catch(() => undefined);
  });
  const select = (row: number): void => {
    close();
    onSelectRow?.(row);
  };
  return (
    <Suspense>
      {opened !== null ? (
        <unitPopup.Part {...{ map, padding, describe }} hit={opened} onSelect={select} onClose={close} />
      ) : hovered !== null ? (
        <unitTooltip.Part {...{ map, describe, fleet }} hit={hovered} />
      ) : null}
    </Suspense>
  );
};

interface FurnitureProps extends FleetMapProps {
  map: LeafletMap;
  ground: ReturnType<typeof useGround>;
  onFit(): void;
}

/** What is about the units: a marked place, the controls, an overlay, and the map's foot. */
const Furniture = (props: FurnitureProps) => {
  const { map, padding, overlay, buttons, pin, measuring, groundItems, isDisplay, ground, onFit } = props;
  return (
    <>
      {measuring ? (
        <Suspense>
          <measurePart.Part map={map} padding={padding} onEnd={measuring.onEnd} />
        </Suspense>
      ) : null}
      {pin ? (
        <Suspense>
          <pinPart.Part map={map} at={pin} />
        </Suspense>
      ) : null}
      {groundItems ? <GroundMenu map={map} items={groundItems} /> : null}
      {isDisplay ? null : (
        <MapControls {...{ map, padding, buttons, onFit }} whole={overlay?.name ?? 'the whole fleet'} />
      )}
      {overlay?.render(map)}
      <MapFoot
        map={map}
        padding={padding}
        hasLegend={overlay === undefined && !isDisplay}
        hasScale={!isDisplay}
        {...ground}
      />
    </>
  );
};

const prepareMap = (map: LeafletMap, what: string, isDisplay: boolean): void => {
  keepInTurn(map);
  // The contiguous states fit into half of a phone, and below its buttons when it lies on its side.
  if (map.getSize().x < SMALL_PX) map.options.minZoom = MAP_OPTIONS.minZoom - 1;
  // The page's address may name any zoom; from there on zooming goes by whole steps.
  map.options.zoomSnap = 1;
  // Leaflet makes its element focusable, and moves the map by keys, without an event.
  map.getContainer().setAttribute('role', 'region');
  map
    .getContainer()
    .setAttribute('aria-label', `Map of ${what}${isDisplay ? '' : ': arrows move it, plus and minus zoom'}`);
};

const toNote = (isMapMissing: boolean, isDetailMissing: boolean): string | null => {
  if (isMapMissing) return 'The map’s outlines could not be loaded';
  return isDetailMissing ? 'Map detail unavailable' : null;
};
