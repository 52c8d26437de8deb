import dynamic from 'next/dynamic';
import { Suspense } from 'react';
import type { MapTiles } from '@/lib/map/schema';
import { useNextFrame } from '../ui/use-next-frame';
import styles from './fleet-map.module.css';
import type { FleetMapProps } from './fleet-map-props';
import { Attribution } from './overlays/attribution';

/** Where the HTML is rendered it is nothing, but `dynamic` has the document load its files beside the first scripts. */
const LeafletFleetMap = dynamic<FleetMapProps>(() =>
  typeof window === 'undefined'
    ? Promise.resolve(() => null)
    : import('./leaflet-fleet-map').then((code) => code.LeafletFleetMap),
);

/** The place of a map that is not there yet, with the credits of its data; --lh-covered is what covers its foot. */
export const MapPlaceholder = ({ tiles }: { tiles: MapTiles | null }) => (
  <div className={styles.root}>
    <Suspense>
      {typeof window === 'undefined' ? <LeafletFleetMap {...({} as FleetMapProps)} /> : null}
    </Suspense>
    <div className={styles.foot} style={{ right: 0, bottom: 'var(--lh-covered, 0)', left: 0 }}>
      <Attribution credit={tiles?.kind === 'raster' ? tiles.attribution : null} note={null} />
    </div>
  </div>
);

/** The live map of a fleet; fills its parent, which must have a size. Not for the server: Leaflet needs a window. */
export const FleetMap = (props: FleetMapProps) => {
  // A page's text is painted before its map is made, which takes as long.
  const isShown = useNextFrame(true);
  const placeholder = <MapPlaceholder tiles={props.tiles} />;
  return isShown ? (
    <Suspense fallback={placeholder}>
      <LeafletFleetMap {...props} />
    </Suspense>
  ) : (
    placeholder
  );
};
