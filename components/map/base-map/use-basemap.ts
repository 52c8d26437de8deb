import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { NameSource } from '../names/name-source';
import { readPalette, type Theme } from '../palette';
import { DETAIL_URL, DETAIL_ZOOM, OVERVIEW_URL } from '@/lib/geo/base-map/basemap-file';
import { BasemapLayer } from './basemap-layer';
import { createPainter, type MapPart, type Painter } from './painter';
import type { StreetMap } from '@/lib/map/schema';
import type { NameSheet } from '../names/name-sheet';

/** Detail is loaded one zoom before it is drawn. */
const LOAD_DETAIL_ZOOM = DETAIL_ZOOM - 1;

/** A file of the base map failed to load: the map is drawn without it. */
class BasemapFileError extends Error {
  override name = 'BasemapFileError';

  constructor(url: string, options: { cause: unknown }) {
    super(`The base map's file ${url} could not be loaded.`, options);
  }
}

const readFile = async (url: string): Promise<ArrayBuffer> => {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new BasemapFileError(url, { cause });
  }
};

interface LoadEvents {
  onFile(part: MapPart, file: ArrayBuffer): void;
  onMissing(): void;
}

const loadBasemap = (leaflet: LeafletMap, { onFile, onMissing }: LoadEvents): (() => void) => {
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
    const overview = await readFile(OVERVIEW_URL);
    if (isOver) return;
    onFile('overview', overview);
    await whenNear;
    const detail = await readFile(DETAIL_URL);
    if (!isOver) onFile('detail', detail);
  };
  load().catch((error: unknown) => {
    if (!(error instanceof BasemapFileError)) throw error;
    if (!isOver) onMissing();
  });
  return () => {
    isOver = true;
    stopWaiting();
  };
};

interface BasemapOptions {
  theme: Theme;
  /** The street map that is painted over the embedded one; null: none. */
  streets: StreetMap | null;
  /** Takes the names of each view, and owns them. */
  onNames(sheet: NameSheet): void;
  onStreets(event: 'loaded' | 'failed'): void;
}

/** Puts the base map under everything else; returns what of it cannot be drawn. */
export const useBasemap = (leaflet: LeafletMap | null, options: BasemapOptions) => {
  const { theme, streets } = options;
  const layer = useRef<{ painter: Painter; tiles: BasemapLayer; names: NameSource } | null>(null);
  const takeNames = useEffectEvent(options.onNames);
  const takeStreets = useEffectEvent(options.onStreets);
  const [parts, setParts] = useState<readonly MapPart[]>([]);
  const [isBroken, setBroken] = useState(false);
  const [isPartial, setPartial] = useState(false);

  useEffect(() => {
    if (!leaflet) return;
    const painter = createPainter({
      onTaken: (part) => setParts((held) => [...held, part]),
      onStreets: (event) => takeStreets(event),
      onBroken: () => setBroken(true),
    });
    const stop = loadBasemap(leaflet, { onFile: painter.take, onMissing: () => setBroken(true) });
    const palette = readPalette(leaflet.getContainer(), 'light');
    const tiles = new BasemapLayer(painter, palette, (isNowPartial) => {
      setPartial(isNowPartial);
      // The data of a tile that was damaged has names too.
      if (!isNowPartial) layer.current?.names.repaint();
    }).addTo(leaflet);
    const names = new NameSource(leaflet, painter.name, (sheet) => takeNames(sheet));
    layer.current = { painter, tiles, names };
    return () => {
      stop();
      layer.current = null;
      tiles.remove();
      names.remove();
      painter.close();
      setParts([]);
    };
  }, [leaflet]);

  useEffect(() => layer.current?.painter.setStreets(streets), [leaflet, streets]);

  useEffect(() => {
    if (!leaflet) return;
    // The page's own colors change a moment after the prop does.
    const frame = requestAnimationFrame(() => {
      const palette = readPalette(leaflet.getContainer(), theme);
      layer.current?.tiles.repaint(palette);
      layer.current?.names.repaint(palette);
    });
    return () => cancelAnimationFrame(frame);
  }, [leaflet, parts, streets, theme]);

  return { isBroken, isPartial };
};
