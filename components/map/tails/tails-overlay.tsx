import { useComputedColorScheme } from '@mantine/core';
import type { Map as LeafletMap } from 'leaflet';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { useTails, type TailBox } from '@/lib/past/queries';
import { MOST_TAILS, decodeTails } from '@/lib/past/schema';
import type { TailMinutes } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import { useLayer, useMapEvents } from '../leaflet-hooks';
import { strokePath } from '../canvas';
import { RestingLayer } from '../canvas-layer';
import type { Palette, Theme } from '../palette';
import type { View } from '../unit-layer/scene/glyphs';
import { LiveTails } from './live-tails';
import styles from '../overlays/overlays.module.css';

/** Below the units. */
const Z_INDEX = '440';
/** The box that is read is larger than the view by this share of it, so that a short drag reads nothing. */
const MARGIN = 0.25;
/** While the map is dragged and zoomed, nothing is read. */
const REST_MS = 400;

/** The box to read for the view; the one before, if that still holds the view and is not much larger. */
const toBox = (map: LeafletMap, before: TailBox | null): TailBox => {
  const bounds = map.getBounds();
  const view = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()] as const;
  const [south, west, north, east] = view;
  const isWithin =
    before !== null && before[0] <= south && before[1] <= west && before[2] >= north && before[3] >= east;
  if (isWithin && before[2] - before[0] < 3 * (north - south)) return before;
  const padded = bounds.pad(MARGIN);
  return [padded.getSouth(), padded.getWest(), padded.getNorth(), padded.getEast()].map(
    (degrees) => Math.round(degrees * 1e3) / 1e3,
  ) as unknown as TailBox;
};

const useBox = (map: LeafletMap): TailBox => {
  const [box, setBox] = useState(() => toBox(map, null));
  useMapEvents(map, { moveend: useDebouncedCallback(() => setBox((before) => toBox(map, before)), REST_MS) });
  return box;
};

const LINE_PX = 2;
/** From the newest third of a tail to the oldest. */
const ALPHAS = [0.9, 0.6, 0.35];

interface TailsInput {
  tails: LiveTails;
  /** 1 for each row that passes the filter; null for all. */
  visible: Uint8Array | null;
  selectedRow: number | null;
  theme: Theme;
}

const drawTails = (context: CanvasRenderingContext2D, input: TailsInput, view: View, palette: Palette) => {
  let count = 0;
  const lines = ALPHAS.map(() => new Path2D());
  const gaps = new Path2D();
  const { worldSizePx, left, top, width, height } = view;
  input.tails.forEachLine(input, (fromX, fromY, toX, toY, age, isGap) => {
    const [x0, y0] = [fromX * worldSizePx - left, fromY * worldSizePx - top];
    const [x1, y1] = [toX * worldSizePx - left, toY * worldSizePx - top];
    if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height)
      return;
    const path = isGap ? gaps : lines[Math.min(ALPHAS.length - 1, Math.floor(age * ALPHAS.length))]!;
    count++;
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  });
  for (const path of lines) strokePath(context, path, palette.land, LINE_PX + 2);
  for (const [i, path] of lines.entries()) {
    context.globalAlpha = ALPHAS[i]!;
    strokePath(context, path, palette.status.moving, LINE_PX);
  }
  strokePath(context, gaps, palette.status.moving, LINE_PX, [2, 5]);
  context.globalAlpha = 1;
  return { tailLines: String(count) };
};

interface TailsOverlayProps {
  map: LeafletMap;
  minutes: TailMinutes;
  fleet: Fleet;
  /** 1 for each row that passes the filter; null for all. */
  visible: Uint8Array | null;
  selectedRow: number | null;
}

/** The tails of the units in view. They are read once for a part of the map, and then grow with each poll. */
export const TailsOverlay = ({ map, minutes, fleet, visible, selectedRow }: TailsOverlayProps) => {
  const theme = useComputedColorScheme('light');
  const box = useBox(map);
  const { data, error } = useTails(fleet.usdot, minutes, box);
  const layer = useLayer(map, () => new RestingLayer('tails', Z_INDEX, drawTails));
  const tails = useMemo(() => new LiveTails(minutes), [minutes]);

  useEffect(() => {
    if (data) tails.take(decodeTails(data.tails), data.isTooMany ? null : box);
  }, [tails, data, box]);
  useEffect(() => {
    tails.grow(fleet);
    layer.current?.update({ tails, visible, selectedRow, theme });
  }, [map, layer, tails, data, fleet, visible, selectedRow, theme]);

  const failed = error !== null && data === undefined ? `Tails could not be loaded: ${error.message}` : null;
  const note = data?.isTooMany ? `More than ${MOST_TAILS} trucks here: zoom in to see their tails` : failed;
  return note === null ? null : (
    <p className={styles.note} role="status">
      {note}
    </p>
  );
};
