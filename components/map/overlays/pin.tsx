import { divIcon, marker } from '../whole-leaflet';
import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import type { LatLng } from '@/lib/geo/units';
import styles from './overlays.module.css';

const WIDTH_PX = 26;
const HEIGHT_PX = 34;

const ICON = divIcon({
  className: styles.pin,
  html: `<svg width="${WIDTH_PX}" height="${HEIGHT_PX}" viewBox="0 0 26 34" aria-hidden="true">
    <path d="M13 33C9 26 2 20.5 2 13a11 11 0 0 1 22 0c0 7.5-7 13-11 20Z"/><circle cx="13" cy="13" r="4"/></svg>`,
  iconSize: [WIDTH_PX, HEIGHT_PX],
  iconAnchor: [WIDTH_PX / 2, HEIGHT_PX - 1],
});

export const Pin = ({ map, at: { lat, lng } }: { map: LeafletMap; at: LatLng }) => {
  useEffect(() => {
    const pin = marker([lat, lng], { icon: ICON, interactive: false, keyboard: false }).addTo(map);
    return () => void pin.remove();
  }, [map, lat, lng]);
  return null;
};
