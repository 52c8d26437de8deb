import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { Suspense, useEffect, useState } from 'react';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { GroundItem } from '../fleet-map-props';
import styles from './ground.module.css';

const popup = onDemand(() => import('./ground-popup').then(({ GroundPopup }) => GroundPopup));

interface Pressed {
  x: number;
  y: number;
  lat: number;
  lng: number;
}

/** The menu of a place on a map, where the user presses the right button, or holds a finger. */
export const GroundMenu = ({ map, items }: { map: LeafletMap; items: readonly GroundItem[] }) => {
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const open = ({ containerPoint: { x, y }, latlng }: LeafletMouseEvent): void => {
      const { lat, lng } = latlng.wrap();
      setPressed({ x, y, lat, lng });
    };
    const close = (): void => setPressed(null);
    map.on('contextmenu', open);
    map.on('movestart', close);
    return () => {
      map.off('contextmenu', open);
      map.off('movestart', close);
    };
  }, [map]);
  if (pressed === null) return null;
  return (
    <>
      <span
        key={`${pressed.x} ${pressed.y}`}
        ref={setAnchor}
        className={styles.anchor}
        style={{ left: pressed.x, top: pressed.y }}
      />
      {anchor === null ? null : (
        <Suspense>
          <popup.Part
            anchor={anchor}
            items={items}
            at={{ lat: pressed.lat, lng: pressed.lng }}
            onClose={() => setPressed(null)}
          />
        </Suspense>
      )}
    </>
  );
};
