import { useEffect, useState } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import styles from './map-scale.module.css';
import { toScaleBars } from './scale-bar';

const MAX_PX = 96;

const readBars = (map: LeafletMap) => toScaleBars(map.getCenter().lat, map.getZoom(), MAX_PX);

/** How long a mile and a kilometre are at the middle of the map. */
export function MapScale({ map }: { map: LeafletMap }) {
  const [bars, setBars] = useState(() => readBars(map));
  useEffect(() => {
    const read = (): void => setBars(readBars(map));
    map.on('moveend', read);
    return () => void map.off('moveend', read);
  }, [map]);
  return (
    <div className={styles.scale}>
      {bars.map(({ words, widthPx }) => (
        <span key={words} style={{ width: widthPx }}>
          {words}
        </span>
      ))}
    </div>
  );
}
