import { useEffect, useRef, useState } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { readPalette } from '../palette';
import { BasemapFileError, readDetail, readOverview, toBasemap, withDetail } from './basemap';
import { DETAIL_ZOOM } from './basemap-file';
import { BasemapLayer } from './basemap-layer';
import type { Theme } from '../palette';
import type { Basemap } from './basemap';

/** Detail is loaded one zoom before it is drawn. */
const LOAD_DETAIL_ZOOM = DETAIL_ZOOM - 1;

/** What a load came to: the map as far as there is one, and whether a file was missing. */
interface Loaded {
  map: Basemap | null;
  isBroken: boolean;
}

const loadBasemap = (leaflet: LeafletMap, onLoaded: (loaded: Loaded) => void): (() => void) => {
  let isOver = false;
  let stopWaiting = () => {};
  const whenNear = new Promise<void>((resolve) => {
    const look = () => {
      if (leaflet.getZoom() >= LOAD_DETAIL_ZOOM) resolve();
    };
    leaflet.on('zoomend', look);
    stopWaiting = () => leaflet.off('zoomend', look);
    leaflet.whenReady(look);
  });
  const load = async () => {
    const overview = await readOverview(fetch);
    if (isOver) return;
    const map = toBasemap(overview);
    onLoaded({ map, isBroken: false });
    await whenNear;
    const detail = await readDetail(fetch);
    if (!isOver) onLoaded({ map: withDetail(map, detail), isBroken: false });
  };
  load().catch((error: unknown) => {
    if (!(error instanceof BasemapFileError)) throw error;
    if (!isOver) onLoaded({ map: null, isBroken: true });
  });
  return () => {
    isOver = true;
    stopWaiting();
  };
};

/** Puts the embedded base map under everything else; returns whether one of its files is missing. */
export const useBasemap = (leaflet: LeafletMap | null, theme: Theme): boolean => {
  const layer = useRef<BasemapLayer | null>(null);
  const [{ map, isBroken }, setLoaded] = useState<Loaded>({ map: null, isBroken: false });

  useEffect(() => {
    if (!leaflet) return;
    const stop = loadBasemap(leaflet, (loaded) =>
      setLoaded((held) => ({ map: loaded.map ?? held.map, isBroken: loaded.isBroken })),
    );
    const added = new BasemapLayer(readPalette(leaflet.getContainer(), 'light')).addTo(leaflet);
    layer.current = added;
    return () => {
      stop();
      layer.current = null;
      added.remove();
    };
  }, [leaflet]);

  useEffect(() => {
    if (!leaflet) return;
    // The page's own colours change a moment after the prop does.
    const frame = requestAnimationFrame(() =>
      layer.current?.update(map, readPalette(leaflet.getContainer(), theme)),
    );
    return () => cancelAnimationFrame(frame);
  }, [leaflet, map, theme]);

  return isBroken;
};
