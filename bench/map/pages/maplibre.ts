import { Map as MapLibreMap, setWorkerUrl, type GeoJSONSource } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import { DEGREES_PER_E5, UNITED_STATES, registerCandidate, type Places } from './candidate';

const SIDE_PX = 20;
let map: MapLibreMap;

setWorkerUrl('/peers/maplibre-worker.js');

const toData = ({ latE5, lngE5 }: Places): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: Array.from(latE5, (lat, unit) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates: [lngE5[unit]! * DEGREES_PER_E5, lat * DEGREES_PER_E5] },
  })),
});

/** A disc, as an image of the kind that a symbol is drawn from. */
const toImage = (): ImageData => {
  const image = new ImageData(SIDE_PX, SIDE_PX);
  for (let i = 0; i < SIDE_PX * SIDE_PX; i++) {
    const [x, y] = [(i % SIDE_PX) - SIDE_PX / 2, Math.floor(i / SIDE_PX) - SIDE_PX / 2];
    image.data.set([30, 100, 200, Math.hypot(x, y) < SIDE_PX / 2 ? 255 : 0], 4 * i);
  }
  return image;
};

const untilIdle = (): Promise<unknown> => map.once('idle');

registerCandidate({
  create: async (root, places) => {
    map = new MapLibreMap({
      container: root,
      style: { version: 8, sources: {}, layers: [] },
      center: UNITED_STATES,
      // MapLibre counts zooms from tiles of 512 pixels.
      zoom: UNITED_STATES.zoom - 1,
      fadeDuration: 0,
      attributionControl: false,
    });
    await map.once('load');
    map.addImage('unit', toImage());
    map.addSource('units', { type: 'geojson', data: toData(places) });
    map.addLayer({
      id: 'units',
      type: 'symbol',
      source: 'units',
      layout: { 'icon-image': 'unit', 'icon-allow-overlap': true },
    });
    await untilIdle();
  },
  move: async (places) => {
    void map.getSource<GeoJSONSource>('units')!.setData(toData(places));
    await untilIdle();
  },
});
