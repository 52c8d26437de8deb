/*
 * Leaflet without markers, vectors, popups and its controls, under the package's name (next.config.mjs): what the first map and
 * react-leaflet need of it, 16 KB less script. Parts that load later take all of it from whole-leaflet.ts.
 */
// A map that was made without it fails to close once other code has loaded it.
import 'leaflet/src/control/Control.js';
import 'leaflet/src/map/handler/Map.DoubleClickZoom.js';
import 'leaflet/src/map/handler/Map.Drag.js';
import 'leaflet/src/map/handler/Map.Keyboard.js';
import 'leaflet/src/map/handler/Map.ScrollWheelZoom.js';
import 'leaflet/src/map/handler/Map.TapHold.js';
import 'leaflet/src/map/handler/Map.TouchZoom.js';

import { EPSG3857 } from 'leaflet/src/geo/crs/CRS.EPSG3857.js';

export const CRS = { EPSG3857 };
export * as DomUtil from 'leaflet/src/dom/DomUtil.js';
export * as Util from 'leaflet/src/core/Util.js';
export { toLatLngBounds as latLngBounds } from 'leaflet/src/geo/LatLngBounds.js';
export { Layer } from 'leaflet/src/layer/Layer.js';
export { GridLayer } from 'leaflet/src/layer/tile/GridLayer.js';
export { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js';
export { Map } from 'leaflet/src/map/Map.js';
