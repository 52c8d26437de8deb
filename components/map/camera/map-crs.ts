import { CRS, type LatLng, type Map as LeafletMap } from 'leaflet';
import { toMapLng } from '@/lib/geo/projection';

const { EPSG3857 } = CRS;
const { projection } = EPSG3857 as unknown as { projection: { project: (at: LatLng) => unknown } };

/** By these two Leaflet finds out how many tiles are around the world. */
const isEdge = (lng: number): boolean => Math.abs(lng) === 180;

/** Web Mercator cut as lib/geo/projection.ts cuts it, so that all that Leaflet places is where the canvases draw it. */
export const MAP_CRS = {
  ...EPSG3857,
  projection: {
    ...projection,
    project: (at: LatLng) =>
      projection.project(isEdge(at.lng) ? at : ({ lat: at.lat, lng: toMapLng(at.lng) } as LatLng)),
  },
} as CRS;

/** Brings a map that was dragged across its seam back to the turn of the world in which everything is drawn. */
export const keepInTurn = (map: LeafletMap): void => {
  map.on('moveend', () => {
    const { lat, lng } = map.getCenter();
    const turned = toMapLng(map.wrapLatLng([lat, lng]).lng);
    if (Math.abs(turned - lng) > 1) map.setView([lat, turned], map.getZoom(), { animate: false });
  });
};
