import { useState } from 'react';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import type { Map as LeafletMap } from 'leaflet';
import { useMapEvents } from '../leaflet-hooks';
import { MapButton } from '../map-button';
import styles from './overlays.module.css';
import type { FleetMapProps } from '../fleet-map-props';

/** The legend and the credits of a phone, and the margin. */
const FOOT_PX = 128;
/** With a finger. */
const BUTTON_PX = 44;
const LEAST_ROWS = 3;

interface MapControlsProps extends Pick<FleetMapProps, 'padding' | 'buttons'> {
  map: LeafletMap;
  /** What "fit" shows: "the whole fleet". */
  whole: string;
  onFit(): void;
}

/** Zoom in, zoom out, fit to the fleet or to what is drawn instead, and more. */
export function MapControls({ map, padding, whole, onFit, buttons }: MapControlsProps) {
  const [zoom, setZoom] = useState(() => map.getZoom());
  const [height, setHeight] = useState(() => map.getSize().y);
  useMapEvents(map, {
    zoomend: () => setZoom(map.getZoom()),
    resize: () => setHeight(map.getSize().y),
  });
  // Those that have no room below each other stand side by side.
  const rows = Math.max(LEAST_ROWS, Math.floor((height - padding.bottom - FOOT_PX) / BUTTON_PX));
  return (
    <div
      className={styles.controls}
      data-map-controls
      // What covers the map's head leaves this corner free.
      style={{ left: padding.left, gridTemplateRows: `repeat(${rows}, auto)` }}
      role="group"
      aria-label="Map"
    >
      <MapButton
        label="Zoom in"
        Icon={IconPlus}
        aria-disabled={zoom >= map.getMaxZoom()}
        onClick={() => map.zoomIn()}
      />
      <MapButton
        label="Zoom out"
        Icon={IconMinus}
        aria-disabled={zoom <= map.getMinZoom()}
        onClick={() => map.zoomOut()}
      />
      <MapButton
        label={`Show ${whole}`}
        title={`Show ${whole} (f)`}
        Icon={IconFocusCentered}
        onClick={onFit}
      />
      {buttons}
    </div>
  );
}
