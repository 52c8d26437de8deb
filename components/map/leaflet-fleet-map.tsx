'use client';

import 'leaflet/dist/leaflet.css';
import { useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useReducedMotion } from '@mantine/hooks';
import { MapContainer } from 'react-leaflet';
import type { LatLngBoundsLiteral, Map as LeafletMap } from 'leaflet';
import { FIT_SNAP } from './camera';
import { useBasemap } from './base-map/use-basemap';
import { useRaster } from './base-map/use-raster';
import styles from './fleet-map.module.css';
import { MapAttribution } from './map-attribution';
import { MapControls } from './map-controls';
import { MapLegend } from './map-legend';
import { MapScale } from './map-scale';
import { SelectedMarker } from './selected-marker';
import type { SelectedMarkerHandle } from './selected-marker';
import { toPick } from './pick';
import { UnitPopup } from './unit-popup';
import { UnitTooltip } from './unit-tooltip';
import { UNITED_STATES, useCamera } from './use-camera';
import { useUnitLayer } from './use-unit-layer';
import type { FleetMapProps } from './fleet-map-props';
import type { GlyphHit } from './unit-layer/unit-layer';

const [SOUTH, WEST, NORTH, EAST] = UNITED_STATES;
const BEGIN: LatLngBoundsLiteral = [
  [SOUTH, WEST],
  [NORTH, EAST],
];
const MIN_ZOOM = 3;
const MAX_ZOOM = 18;

const toMask = (rows: ArrayLike<number> | null, size: number): Uint8Array | null => {
  if (!rows) return null;
  const mask = new Uint8Array(size);
  for (let i = 0; i < rows.length; i++) mask[rows[i]!] = 1;
  return mask;
};

/** `FleetMap` in the browser. */
export function LeafletFleetMap(props: FleetMapProps) {
  const { ref, fleet, visibleRows, selectedRow, track, doubtful, theme, padding, describe, initialView } =
    props;
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [hovered, setHovered] = useState<GlyphHit | null>(null);
  const [opened, setOpened] = useState<GlyphHit | null>(null);
  const [begin] = useState(initialView ? { center: initialView, zoom: initialView.zoom } : { bounds: BEGIN });
  const marker = useRef<SelectedMarkerHandle>(null);
  const isStill = useReducedMotion();

  const rows = fleet?.rows ?? 0;
  const visible = useMemo(() => toMask(visibleRows, rows), [visibleRows, rows]);
  const isMapMissing = useBasemap(map, theme);
  const areTilesMissing = useRaster(map, props.tilesUrl);
  const layer = useUnitLayer(
    map,
    { fleet, visible, selectedRow, track, doubtful, isStill, theme },
    {
      onHover: setHovered,
      onPick: (hit) => {
        const pick = toPick(hit, layer.current?.boundsOf(hit?.rows ?? []) ?? null);
        setOpened(pick.kind === 'list' ? pick.hit : null);
        if (pick.kind === 'unit') props.onSelectRow(pick.row);
        if (pick.kind === 'ground' && !opened) props.onSelectRow(null);
        if (pick.kind === 'zoom') camera.current?.fit(pick.bounds, { maxZoom: MAX_ZOOM });
      },
      onSelectedAt: (at) => keep(at),
      onDrawn: ({ selected }) => marker.current?.place(selected),
    },
  );
  const { camera, keep } = useCamera(map, layer, { ...props, isStill });

  const takeMap = (created: LeafletMap | null): void => {
    if (created) prepareMap(created);
    setMap(created);
  };
  const fitFleet = (): void => {
    const bounds = layer.current?.boundsOf(null);
    if (bounds) camera.current?.fit(bounds);
  };
  const flyToRow = (row: number): void => {
    const bounds = layer.current?.boundsOf([row]);
    if (bounds) camera.current?.flyTo([bounds[0], bounds[1]]);
  };
  useImperativeHandle(ref, () => ({ fitFleet, flyToRow }));

  return (
    <div className={styles.root} data-theme={theme} data-old={props.old ?? undefined}>
      <MapContainer
        ref={takeMap}
        zoomSnap={FIT_SNAP}
        className={styles.map}
        {...begin}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        zoomControl={false}
        attributionControl={false}
        fadeAnimation={false}
        zoomAnimation={!isStill}
        worldCopyJump
        bounceAtZoomLimits={false}
      />
      {map && (
        <>
          <SelectedMarker
            handle={marker}
            summary={selectedRow === null || !fleet ? null : describe(selectedRow)}
            onActivate={() => selectedRow !== null && flyToRow(selectedRow)}
          />
          <MapControls map={map} padding={padding} onFit={fitFleet} />
          <div
            className={styles.foot}
            style={{ right: padding.right, bottom: padding.bottom, left: padding.left }}
          >
            <MapLegend />
            <MapScale map={map} />
            <MapAttribution
              credit={props.tilesUrl === null ? null : props.tilesAttribution}
              note={toNote(isMapMissing, areTilesMissing)}
            />
          </div>
          {hovered && !opened && <UnitTooltip map={map} hit={hovered} describe={describe} fleet={fleet} />}
          {opened && (
            <UnitPopup
              map={map}
              hit={opened}
              padding={padding}
              describe={describe}
              onSelect={(row) => {
                setOpened(null);
                props.onSelectRow(row);
              }}
              onClose={() => setOpened(null)}
            />
          )}
        </>
      )}
    </div>
  );
}

const prepareMap = (map: LeafletMap): void => {
  // The page's address may name any zoom; from there on zooming goes by whole steps.
  map.options.zoomSnap = 1;
  // Leaflet makes its element focusable, and moves the map by its keys, without saying so.
  map.getContainer().setAttribute('role', 'region');
  map.getContainer().setAttribute('aria-label', 'Map of the fleet: arrows move it, plus and minus zoom');
};

const toNote = (isMapMissing: boolean, areTilesMissing: boolean): string | null => {
  if (isMapMissing) return 'The map’s outlines could not be loaded';
  return areTilesMissing ? 'Map detail unavailable' : null;
};
