import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import { Suspense, useState } from 'react';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { LatLng } from '@/lib/geo/units';
import type { Point } from '../box-index';
import type { GroundItem } from '../fleet-map-props';
import { useMapEvents } from '../leaflet-hooks';
import styles from './overlays.module.css';

const popup = onDemand(() => import('./ground-popup').then(({ GroundPopup }) => GroundPopup));

interface Pressed extends Point {
  at: LatLng;
}

/** The menu of a place on a map, where the user presses the right button, or holds a finger. */
export const GroundMenu = ({ map, items }: { map: LeafletMap; items: readonly GroundItem[] }) => {
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setPressed(null);
  useMapEvents(map, {
    contextmenu: ({ containerPoint: { x, y }, latlng }: LeafletMouseEvent) => {
      const { lat, lng } = latlng.wrap();
      setPressed({ x, y, at: { lat, lng } });
    },
    movestart: close,
  });
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
          <popup.Part anchor={anchor} items={items} at={pressed.at} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
