import { useEffect, useState } from 'react';
import { TileLayer } from 'leaflet';
import type { Map as LeafletMap } from 'leaflet';
import { RASTER_START, isDetailMissing, toRasterState } from './raster-watch';
import type { RasterEvent } from './raster-watch';

/** One transparent pixel: where a tile fails, the embedded map shows through. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const MAX_NATIVE_ZOOM = 19;

/**
 * Lays raster tiles over the embedded base map. Once they are out of reach it stops asking for them for a
 * while. Returns whether detail is missing.
 */
export const useRaster = (leaflet: LeafletMap | null, url: string | null): boolean => {
  const [isMissing, setMissing] = useState(false);

  useEffect(() => {
    if (!leaflet || url === null) return;
    const layer = new TileLayer(url, {
      className: 'lh-raster',
      errorTileUrl: NOTHING,
      maxNativeZoom: MAX_NATIVE_ZOOM,
      maxZoom: leaflet.getMaxZoom(),
      zIndex: 1,
    });
    let state = RASTER_START;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (event: RasterEvent): void => {
      const before = state;
      state = toRasterState(before, event, Date.now());
      if (state === before) return;
      setMissing(isDetailMissing(state));
      if (state.kind === 'on' && before.kind === 'resting') layer.addTo(leaflet);
      if (state.kind === 'on' || before.kind === 'resting') return;
      // Not from within the layer's own event.
      queueMicrotask(() => layer.remove());
      timer = setTimeout(retry, state.retryAtMs - Date.now());
    };
    const retry = (): void => {
      clearTimeout(timer);
      take('retry');
    };
    layer.on('tileload', () => take('loaded'));
    layer.on('tileerror', () => take('failed'));
    window.addEventListener('online', retry);
    layer.addTo(leaflet);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', retry);
      layer.off();
      layer.remove();
      setMissing(false);
    };
  }, [leaflet, url]);

  return isMissing;
};
