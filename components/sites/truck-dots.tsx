import { useComputedColorScheme } from '@mantine/core';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { RestingLayer } from '@/components/map/canvas-layer';
import { useLayer } from '@/components/map/leaflet-hooks';
import type { Palette, Theme } from '@/components/map/palette';
import type { View } from '@/components/map/unit-layer/scene/glyphs';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import { STATUSES } from '@/lib/motion/status';
import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';

/** Below the sites. */
const Z_INDEX = '420';
const RADIUS_PX = 3;

interface Dots {
  fleet: Fleet;
  theme: Theme;
}

const drawDots = (
  context: CanvasRenderingContext2D,
  { fleet: { identities, columns } }: Dots,
  { worldSizePx, left, top }: View,
  palette: Palette,
): Record<string, string> => {
  const { latE5, lngE5, status } = columns;
  const paths = STATUSES.map(() => new Path2D());
  let dots = 0;
  identities.forEach((identity, row) => {
    if (!identity || latE5[row] === NO_POSITION) return;
    const x = toMercatorX(lngE5[row]! * DEGREES_PER_E5) * worldSizePx - left;
    const y = toMercatorY(latE5[row]! * DEGREES_PER_E5) * worldSizePx - top;
    const path = paths[status[row]!]!;
    path.moveTo(x + RADIUS_PX, y);
    path.arc(x, y, RADIUS_PX, 0, 2 * Math.PI);
    dots += 1;
  });
  for (const [index, path] of paths.entries()) {
    context.fillStyle = palette.status[STATUSES[index]!];
    context.fill(path);
  }
  return { dots: String(dots) };
};

/** The trucks of a fleet as dots in the colors of their statuses, below its sites, whose names need the room. */
export const TruckDots = ({ map }: { map: LeafletMap }) => {
  const { fleet } = useReading();
  const theme = useComputedColorScheme('light');
  const layer = useLayer(map, () => new RestingLayer('trucks', Z_INDEX, drawDots));
  useEffect(() => {
    if (fleet !== null) layer.current?.update({ fleet, theme });
  }, [map, layer, fleet, theme]);
  return null;
};
