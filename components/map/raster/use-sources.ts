import { useCallback, useEffect, useRef, useState } from 'react';
import { TileLayer, Util, type Map as LeafletMap } from 'leaflet';
import { ServerProblemError, ServerUnreachableError, fetchJson } from '@/lib/browser/fetch-json';
import {
  mapStateSchema,
  type MapState,
  type MapTiles,
  type RasterTiles,
  type StreetMap,
} from '@/lib/map/schema';
import { probeSource, type RasterEvent, type RasterView } from './raster-source';

/** One transparent pixel: where a tile fails, the embedded map shows through. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const MAX_NATIVE_ZOOM = 19;
const TILE_PX = 256;

/** Which sources of the map work now; null while our own server does not answer. */
const readMapState = async (): Promise<MapState | null> => {
  try {
    return await fetchJson('/api/map', mapStateSchema);
  } catch (error) {
    if (error instanceof ServerUnreachableError || error instanceof ServerProblemError) return null;
    throw error;
  }
};

/** Loads the tile in the middle of the view, which is shown anyway if it loads. */
const probeTile = (leaflet: LeafletMap, url: string): Promise<boolean> => {
  const zoom = Math.min(Math.round(leaflet.getZoom()), MAX_NATIVE_ZOOM);
  const { x, y } = leaflet.project(leaflet.getCenter(), zoom).divideBy(TILE_PX).floor();
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    image.src = Util.template(url, { x, y, z: zoom, s: 'a', r: '' });
  });
};

/** A browser reports each image that fails to load as an error, so the server tries the default host first. */
const probe = async (leaflet: LeafletMap, { url, isDefault }: RasterTiles): Promise<boolean> => {
  if (isDefault && !(await readMapState())?.areDefaultTilesReachable) return false;
  return probeTile(leaflet, url);
};

/** Keeps raster tiles on a map while they can be reached; the returned function removes them. */
const addRaster = (
  leaflet: LeafletMap,
  tiles: RasterTiles,
  onView: (view: RasterView) => void,
): (() => void) => {
  const layer = new TileLayer(tiles.url, {
    className: 'lh-raster',
    errorTileUrl: NOTHING,
    maxNativeZoom: MAX_NATIVE_ZOOM,
    maxZoom: leaflet.getMaxZoom(),
    zIndex: 1,
  });
  const watch = probeSource({
    probe: () => probe(leaflet, tiles),
    onUsable: (isUsable) => {
      if (isUsable) layer.addTo(leaflet);
      // Not from within the layer's own event.
      else queueMicrotask(() => layer.remove());
    },
    onView,
  });
  layer.on('tileload', () => watch.take('loaded'));
  layer.on('tileerror', () => watch.take('failed'));
  return () => {
    watch.stop();
    layer.off();
    layer.remove();
  };
};

/** Lays raster tiles over the embedded base map while they can be reached. Returns what is shown of them. */
export const useRaster = (leaflet: LeafletMap | null, tiles: MapTiles | null): RasterView => {
  const [view, setView] = useState<RasterView>('none');
  // A page passes an object that is equal, and not the same, each time the server renders it.
  const key = tiles?.kind === 'raster' ? JSON.stringify(tiles) : null;

  useEffect(() => {
    if (!leaflet || key === null) return;
    const remove = addRaster(leaflet, JSON.parse(key) as RasterTiles, setView);
    return () => {
      remove();
      setView('none');
    };
  }, [leaflet, key]);

  return view;
};

/** The street map while it can be read, and what is shown of it. `onTile` takes the result of each of its tiles. */
export const useStreets = (tiles: MapTiles | null) => {
  const [streets, setStreets] = useState<StreetMap | null>(null);
  const [view, setView] = useState<RasterView>('none');
  const watch = useRef<ReturnType<typeof probeSource> | null>(null);
  const hasStreets = tiles?.kind === 'streets';

  useEffect(() => {
    if (!hasStreets) return;
    let found: StreetMap | null = null;
    const started = probeSource({
      probe: async () => {
        found = (await readMapState())?.streets ?? null;
        return found !== null;
      },
      onUsable: (isUsable) => setStreets(isUsable ? found : null),
      onView: setView,
    });
    watch.current = started;
    return () => {
      watch.current = null;
      started.stop();
      setStreets(null);
      setView('none');
    };
  }, [hasStreets]);

  const onTile = useCallback((event: RasterEvent) => watch.current?.take(event), []);
  return { streets, view, onTile };
};
