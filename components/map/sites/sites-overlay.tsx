import { useComputedColorScheme } from '@mantine/core';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import type { Point } from '../box-index';
import type { MapSites } from '../fleet-map-props';
import { useLayer, useMapEvents } from '../leaflet-hooks';
import { NameSource } from '../names/name-source';
import type { NameSheet } from '../names/name-sheet';
import overlayStyles from '../overlays/overlays.module.css';
import { readPalette } from '../palette';
import { RestingLayer } from '../canvas-layer';
import { drawSites } from './draw-sites';
import { siteAtPoint, toSiteShapes, type SiteShapes } from './site-shapes';
import { paintSiteNames } from './site-names';

/** Below the units and their tails. */
const Z_INDEX = '430';
const REACH_PX = 10;
const TOOLTIP_PX = 200;

interface SitesOverlayProps extends MapSites {
  map: LeafletMap;
  /** A unit is under the pointer, which goes first. */
  isUnitHovered: boolean;
  /** Takes the names of the sites about the view, painted; null: there are none. */
  onNames: (sheet: NameSheet | null) => void;
}

/** The outlines of a fleet's sites below its units, and the name of the one under the pointer. */
export const SitesOverlay = (props: SitesOverlayProps) => {
  const { map, sites, highlightedId = null, hiddenId = null, isUnitHovered, onNames, onPick } = props;
  const theme = useComputedColorScheme('light');
  const names = useRef<NameSource | null>(null);
  const shapes = toSiteShapes(sites);
  const latest = useRef({ shapes, hiddenId });
  const takeNames = useEffectEvent(onNames);
  const layer = useLayer(map, () => new RestingLayer('sites', Z_INDEX, drawSites));

  useEffect(() => {
    latest.current = { shapes, hiddenId };
  }, [shapes, hiddenId]);

  useEffect(() => {
    let jobs = 0;
    const source = new NameSource(
      map,
      (job, onNamed) => {
        const number = (jobs += 1);
        // After the frame that ended the movement of the map.
        setTimeout(() => onNamed(paintSiteNames(latest.current.shapes, latest.current.hiddenId, job)));
        return number;
      },
      (sheet) => takeNames(sheet),
    );
    names.current = source;
    return () => {
      source.remove();
      takeNames(null);
    };
  }, [map]);

  useEffect(
    () => layer.current?.update({ shapes, highlightedId, hiddenId, theme }),
    [map, layer, shapes, highlightedId, hiddenId, theme],
  );
  useEffect(() => {
    // The page's own colors change a moment after the prop does.
    const frame = requestAnimationFrame(() => names.current?.repaint(readPalette(map.getContainer(), theme)));
    return () => cancelAnimationFrame(frame);
  }, [map, shapes, hiddenId, theme]);

  const hovered = useHovered(map, shapes, onPick);
  return hovered === null || isUnitHovered ? null : <Tooltip {...hovered} map={map} />;
};

interface Hovered extends Point {
  site: Site;
}

/** The site under the mouse; a click picks it, if that is wanted. */
const useHovered = (map: LeafletMap, shapes: SiteShapes, onPick: MapSites['onPick']): Hovered | null => {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const find = ({ latlng }: LeafletMouseEvent): Site | null =>
    siteAtPoint(
      shapes,
      { x: toMercatorX(latlng.lng), y: toMercatorY(latlng.lat) },
      { worldSizePx: worldSizePx(map.getZoom()), reachPx: REACH_PX },
    );
  const leave = (): void => setHovered(null);
  useMapEvents(map, {
    mousemove: (event: LeafletMouseEvent) => {
      const site = find(event);
      const { x, y } = event.containerPoint;
      if (onPick !== undefined) map.getContainer().style.cursor = site === null ? '' : 'pointer';
      setHovered(site === null ? null : { site, x, y });
    },
    click: (event: LeafletMouseEvent) => {
      const site = find(event);
      if (site !== null) onPick?.(site.id);
    },
    mouseout: leave,
    movestart: leave,
  });
  return hovered;
};

const Tooltip = ({ map, site, x, y }: Hovered & { map: LeafletMap }) => {
  const left = Math.max(8, Math.min(map.getSize().x - TOOLTIP_PX - 8, x - TOOLTIP_PX / 2));
  const isBelow = y < 80;
  return (
    <div
      className={overlayStyles.tooltip}
      data-below={isBelow || undefined}
      style={{ left, top: y + (isBelow ? 22 : -14), width: TOOLTIP_PX }}
      aria-hidden="true"
    >
      <strong>{site.name}</strong>
      <div>{SITE_KIND_LABELS[site.kind]}</div>
    </div>
  );
};
