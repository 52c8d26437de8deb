import { useEffect, useState, type ReactNode } from 'react';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import type { Map as LeafletMap } from 'leaflet';
import styles from './map-controls.module.css';
import type { MapPadding } from '../fleet-map-props';

interface MapControlsProps {
  map: LeafletMap;
  padding: MapPadding;
  /** What "fit" shows: "the whole fleet". */
  whole: string;
  onFit(): void;
  buttons?: ReactNode;
}

/** Zoom in, zoom out, fit to the fleet or to what is drawn instead, and more. */
export function MapControls({ map, padding, whole, onFit, buttons }: MapControlsProps) {
  const [zoom, setZoom] = useState(() => map.getZoom());
  useEffect(() => {
    const read = (): void => setZoom(map.getZoom());
    map.on('zoomend', read);
    return () => void map.off('zoomend', read);
  }, [map]);
  return (
    <div
      className={styles.controls}
      // What covers the map's head leaves this corner free.
      style={{ left: padding.left }}
      role="group"
      aria-label="Map"
    >
      <button
        type="button"
        title="Zoom in"
        aria-label="Zoom in"
        aria-disabled={zoom >= map.getMaxZoom()}
        onClick={() => map.zoomIn()}
      >
        <IconPlus size={18} stroke={1.8} aria-hidden />
      </button>
      <button
        type="button"
        title="Zoom out"
        aria-label="Zoom out"
        aria-disabled={zoom <= map.getMinZoom()}
        onClick={() => map.zoomOut()}
      >
        <IconMinus size={18} stroke={1.8} aria-hidden />
      </button>
      <button type="button" title={`Show ${whole} (f)`} aria-label={`Show ${whole}`} onClick={onFit}>
        <IconFocusCentered size={18} stroke={1.8} aria-hidden />
      </button>
      {buttons}
    </div>
  );
}
