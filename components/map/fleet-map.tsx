'use client';

import { Suspense, lazy } from 'react';
import type { MapTiles } from '@/lib/map/schema';
import styles from './fleet-map.module.css';
import type { FleetMapProps } from './fleet-map-props';
import { Attribution } from './overlays/attribution';
import footStyles from './overlays/map-foot.module.css';

const LeafletFleetMap = lazy(async () => ({
  default: (await import('./leaflet-fleet-map')).LeafletFleetMap,
}));

/** The place of a map that is not there yet, with the credits of its data; --lh-covered is what covers its foot. */
export const MapPlaceholder = ({ tiles }: { tiles: MapTiles | null }) => (
  <div className={styles.root}>
    <div className={footStyles.foot} style={{ right: 0, bottom: 'var(--lh-covered, 0)', left: 0 }}>
      <Attribution credit={tiles?.kind === 'raster' ? tiles.attribution : null} note={null} />
    </div>
  </div>
);

/** The live map of a fleet; fills its parent, which must have a size. Not for the server: Leaflet needs a window. */
export const FleetMap = (props: FleetMapProps) => (
  <Suspense fallback={<MapPlaceholder tiles={props.tiles} />}>
    <LeafletFleetMap {...props} />
  </Suspense>
);
