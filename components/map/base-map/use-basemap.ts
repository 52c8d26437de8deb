import { useEffect, useRef, useState } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { readPalette } from '../palette';
import { DETAIL_URL, DETAIL_ZOOM, OVERVIEW_URL } from './basemap-file';
import { BasemapLayer } from './basemap-layer';
import { createPainter } from './painter';
import type { Theme } from '../palette';
import type { MapPart } from './painter-messages';

/** Detail is loaded one zoom before it is drawn. */
const LOAD_DETAIL_ZOOM = DETAIL_ZOOM - 1;

/** A file of the base map could not be had: the map is then drawn without it. */
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

/** Puts the embedded base map under everything else; returns whether some of it cannot be drawn. */
export const useBasemap = (leaflet: LeafletMap | null, theme: Theme): boolean => {
  const layer = useRef<BasemapLayer | null>(null);
  const [parts, setParts] = useState<readonly MapPart[]>([]);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    if (!leaflet) return;
    const painter = createPainter({
      onTaken: (part) => setParts((held) => [...held, part]),
      onBroken: () => setBroken(true),
    });
    const stop = loadBasemap(leaflet, { onFile: painter.take, onMissing: () => setBroken(true) });
    const added = new BasemapLayer(painter, readPalette(leaflet.getContainer(), 'light')).addTo(leaflet);
    layer.current = added;
    return () => {
      stop();
      layer.current = null;
      added.remove();
      painter.close();
      setParts([]);
    };
  }, [leaflet]);

  useEffect(() => {
    if (!leaflet) return;
    // The page's own colors change a moment after the prop does.
    const frame = requestAnimationFrame(() =>
      layer.current?.repaint(readPalette(leaflet.getContainer(), theme)),
    );
    return () => cancelAnimationFrame(frame);
  }, [leaflet, parts, theme]);

  return isBroken;
};
