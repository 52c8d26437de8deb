import 'leaflet/dist/leaflet.css';
import { map, type Map as LeafletMap } from 'leaflet';
import { UNITED_STATES } from './candidate';

/** A Leaflet map of the contiguous states without anything on it. */
export const createLeafletMap = (root: HTMLElement): LeafletMap =>
  map(root, { fadeAnimation: false, zoomControl: false, attributionControl: false, maxZoom: 18 }).setView(
    [UNITED_STATES.lat, UNITED_STATES.lng],
    UNITED_STATES.zoom,
  );
