'use client';

import dynamic from 'next/dynamic';
import styles from './fleet-map.module.css';
import type { FleetMapProps } from './fleet-map-props';

/** Leaflet needs a window: the map itself is loaded in the browser only. */
const LeafletFleetMap = dynamic(
  () => import('./leaflet-fleet-map').then((module) => module.LeafletFleetMap),
  {
    ssr: false,
    loading: () => <div className={styles.root} />,
  },
);

/** The live map of a fleet. Fills its parent, which must have a size. */
export function FleetMap(props: FleetMapProps) {
  return <LeafletFleetMap {...props} />;
}
